import { createHash } from 'node:crypto';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { AtMoment } from '../../platform/http/common.api.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { firstName } from '../../platform/portuguese.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { receiptPath, receiptsOpenSince } from '../finance/receipt-address.js';
import { billTxidOf } from '../payers/payer.js';
import { providerCodes } from './pix-provider.queries.js';
import { aheadInWords } from './charge-terms.js';
import { firstAsked } from './charge-terms.api.js';
import type { OwnCharges } from './charges.api.js';
import type { PaymentPage } from './payment-page.api.js';
import { byId, chargesWith, forward, shown } from './charges.queries.js';
import { billOf, openOfPayer, shownItem, studentsIn, sumOf } from './bills.queries.js';
import { type FoundPayment, PaymentLinks } from './payment-links.service.js';
import type { ShownPixAccount } from './pix.api.js';
import { codeFor, pixAccount } from './pix-notices.queries.js';
import { payeeOf } from './payee.js';

/** A charge as shown to everybody with its link. */
export class ShowPaymentPage extends Query<PaymentPage> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(ShowPaymentPage)
export class ShowPaymentPageHandler implements IQueryHandler<ShowPaymentPage> {
  constructor(
    private readonly database: Database,
    private readonly links: PaymentLinks,
    private readonly tokens: LinkTokens,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: ShowPaymentPage): Promise<PaymentPage> {
    const found = await this.links.find(token);
    const page = await (found.payerId === undefined ? this.ofCharge(found) : this.ofPayer(found));
    const versao = createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 16);
    return { ...page, versao };
  }

  private async ofCharge({
    tenantId,
    chargeId,
    timezone,
    personal,
  }: FoundPayment & { chargeId: string }): Promise<Omit<PaymentPage, 'versao'>> {
    const [[row], [account], [made], [link]] = await Promise.all([
      this.database.read(tenantId, byId({ id: chargeId })),
      this.database.read(tenantId, pixAccount({})),
      this.database.read(tenantId, providerCodes({ id: chargeId, now: this.clock.now() })),
      this.database.read(tenantId, linkOf({ chargeId })),
    ]);
    // Whoever booked has the link of a booking's charge: it names nobody whom they did not, and has nobody's document.
    const who = row && (row.entrada === null ? row.pagador_nome : row.student_nome);
    if (!row || !who) throw new Problem('charges.link_not_valid');
    const now = this.clock.now();
    const charge = shown(row, dateOf(now, timezone));
    const { descricao, valor, pago, falta, hoje, pedido, vencimento, situacao } = charge;
    const kept = charge.pagamentos.filter((payment) => !payment.estornado && payment.valor > 0);
    const payer = row.pagador_id === row.student_id ? null : row.pagador_id;
    const isBooking = row.entrada !== null;
    const isUnclear = !isBooking && link!.has_other_payer;
    const ids = isUnclear ? [] : kept.map(({ transaction_id }) => transaction_id);
    const found = ids.length > 0 ? await this.database.read(tenantId, paidAmong({ ids })) : [];
    const own = new Map(
      found.flatMap((one) => (isBooking || one.payer_id === payer ? [[one.id, one] as const] : [])),
    );
    const since = receiptsOpenSince(now, timezone);
    const receiptOf = ({ transaction_id, data }: (typeof kept)[number]) => {
      const { recibo = null } = own.get(transaction_id)!;
      if (recibo === null || data < since) return null;
      const isOwn = isBooking ? recibo.payer_id === null && recibo.cpf === null : recibo.payer_id === payer;
      return isOwn ? receiptPath(this.tokens, recibo.id) : null;
    };
    const codigo = codeFor(account, pedido, row.txid, made);
    return {
      personal,
      primeiro_nome: isUnclear ? null : firstName(who),
      descricao: descricao ?? 'Cobrança',
      valor,
      pago,
      falta,
      hoje,
      pedido,
      vencimento,
      situacao,
      avisada: row.avisada_em !== null,
      pagamentos: kept
        .filter(({ transaction_id }) => own.has(transaction_id))
        .map((payment) => ({ valor: payment.valor, data: payment.data, recibo: receiptOf(payment) })),
      pix: codigo === null ? null : { codigo, ...payeeOf(account!) },
      adiante: aheadInWords(charge, dateOf(now, timezone)),
    };
  }

  /** What a payer owes in all; once nothing is open, what was paid of late. */
  private async ofPayer({
    tenantId,
    payerId,
    timezone,
    personal,
  }: FoundPayment & { payerId: string }): Promise<Omit<PaymentPage, 'versao'>> {
    const now = this.clock.now();
    const today = dateOf(now, timezone);
    const since = receiptsOpenSince(now, timezone);
    const [[row], [account], received] = await Promise.all([
      this.database.read(tenantId, billOf({ payerId })),
      this.database.read(tenantId, pixAccount({})),
      this.database.read(tenantId, receivedFor({ payerId, since, most: MOST })),
    ]);
    if (!row || row.nome === null) throw new Problem('charges.link_not_valid');
    const open = row.conta ?? [];
    const itens = open.map((one) => shownItem(one, today));
    const sum = (part: 'multa' | 'juros' | 'desconto' | 'total') =>
      itens.reduce((total, { hoje }) => total + hoje[part], 0);
    const hoje = { multa: sum('multa'), juros: sum('juros'), desconto: sum('desconto'), total: sum('total') };
    const falta = itens.reduce((total, one) => total + one.falta, 0);
    const vencimento = itens[0]?.vencimento ?? today;
    const codigo = codeFor(account, hoje.total, billTxidOf(payerId));
    return {
      personal,
      primeiro_nome: firstName(row.nome),
      descricao: open.length > 0 ? `Conta de ${studentsIn(open)}` : 'Conta',
      valor: falta,
      pago: 0,
      falta,
      hoje,
      pedido: hoje.total,
      vencimento,
      situacao: open.length === 0 ? 'paga' : vencimento < today ? 'vencida' : 'aberta',
      avisada: open.length > 0 && open.every(({ avisada }) => avisada),
      pagamentos: received.map(({ valor, data, receipt_id }) => ({
        valor,
        data,
        recibo: receipt_id && receiptPath(this.tokens, receipt_id),
      })),
      pix: codigo === null ? null : { codigo, ...payeeOf(account!) },
      adiante: [],
      itens: itens.map((one) => ({
        aluno: firstName(one.aluno),
        descricao: one.descricao ?? 'Cobrança',
        vencimento: one.vencimento,
        vencida: one.vencimento < today,
        total: one.hoje.total,
      })),
    };
  }
}

/** Whether the student was given another payer since the link of a charge was made. */
const linkOf = statement((db, { chargeId }: Blanks<{ chargeId: string }>) =>
  sql<{ has_other_payer: boolean }>`select exists (select from events
      where stream_id = (select 'student-payer:' || student_id from charges where id = ${chargeId})
        and position > (select max(position) from events
          where stream_id = ${sql`'charge:' || ${chargeId}::text`} and type in ('ChargeIssued', 'ChargeLinkReplaced'))
    ) as has_other_payer`.compile(db),
);

/** What a payer paid of late, without what was reversed or refunded; what was paid at once is one. */
const receivedFor = statement(
  (db, { payerId, since, most }: Blanks<{ payerId: string; since: string; most: number }>) =>
    sql<{ valor: number; data: string; receipt_id: string | null }>`
      select sum(t.valor)::bigint as valor, t.data, max(case when r.payer_id = p.payer_id then r.id::text end) as receipt_id
      from charge_payments p
      join transactions t on t.tenant_id = p.tenant_id and t.id = p.id
      left join receipt_entries e on e.tenant_id = t.tenant_id and e.id = t.id and not e.cancelada
      left join receipts r on r.tenant_id = e.tenant_id and r.id = e.receipt_id
      where p.payer_id = ${payerId} and t.estornada_por is null and t.data >= ${since}::date
      group by coalesce(e.receipt_id, p.bill_id, p.id), t.data
      order by t.data desc, coalesce(e.receipt_id, p.bill_id, p.id) limit ${most}`.compile(db),
);

/** Who paid, with the receipt. */
const paidAmong = statement((db, { ids }: Blanks<{ ids: string[] }>) =>
  db
    .selectFrom('charge_payments as p')
    .leftJoin('receipt_entries as e', (join) =>
      sameTenant(join, 'e.id', 'p.id').on('e.cancelada', '=', false),
    )
    .leftJoin('receipts as r', (join) => sameTenant(join, 'r.id', 'e.receipt_id'))
    .select(['p.id', 'p.payer_id'])
    .select(
      sql<{ id: string; payer_id: string | null; cpf: string | null } | null>`case when r.id is not null
        then json_build_object('id', r.id, 'payer_id', r.payer_id, 'cpf', r.cpf) end`.as('recibo'),
    )
    .where(sql<boolean>`p.id = any(${ids}::uuid[])`)
    .compile(),
);

/** A limit that a student's open charges do not reach. */
const MOST = 50;

/** The open charges of the student who asks; as they were, without the ways to pay them. */
export const ListOwnCharges = defineQuery(
  'ListOwnCharges',
  { past: PastTables, links: PaymentLinks },
  async ({ context }, { past, links }, { at }: AtMoment): Promise<OwnCharges> => {
    const { tenantId, timezone } = context;
    const studentId = context.studentId!;
    const { now, read } = await past.at(tenantId, at, chargesWith('student_id', studentId));
    const asked = { student_id: studentId, status: 'aberta', limit: MOST };
    const today = dateOf(now, timezone);
    const yesterday = dateOf(now.getTime() - DAY_MS, timezone);
    const [rows, pagas, [account], made, [bill]] = await Promise.all([
      read(forward(asked)),
      read(paidSince({ studentId, day: yesterday })),
      at === undefined ? read(pixAccount({})) : [],
      at === undefined ? read(providerCodes({ student_id: studentId, now })) : [],
      at === undefined ? read(billOfAccount({ studentId, userId: context.userId })) : [],
    ]);
    const open = bill?.conta ?? [];
    const isMore = open.length > 1 || open.some((one) => one.student_id !== studentId);
    const codes = new Map(made.map((one) => [one.id, one]));
    return {
      at,
      pagas: pagas.map(({ id, descricao, pago }) => ({ id, descricao: descricao ?? 'Cobrança', pago })),
      conta:
        isMore && bill!.link_id !== null
          ? { alunos: studentsIn(open), total: sumOf(open, today), link: links.urlOf(bill!.link_id) }
          : undefined,
      // Whoever typed the student's phone has booked: the booking's own page asks for what makes it stand.
      items: rows
        .filter((row) => firstAsked(row) === null)
        .map((row) => {
          const charge = shown(row, today);
          const { id, descricao, valor, pago, falta, hoje, vencimento, situacao, avisada_em } = charge;
          const pix = codeFor(account, hoje.total, row.txid, codes.get(id));
          return {
            id,
            descricao: descricao ?? 'Cobrança',
            valor,
            pago,
            falta,
            hoje,
            vencimento,
            situacao,
            avisada: avisada_em !== null,
            pix,
            recebe: pix === null ? null : payeeOf(account!),
            adiante: aheadInWords(charge, today),
          };
        }),
    };
  },
);

/** What is owed to whom an account's payer pays for; nothing for the student's own account, or once another one pays. */
const billOfAccount = statement((db, { studentId, userId }: Blanks<{ studentId: string; userId: string }>) =>
  db
    .selectFrom('student_access as a')
    .innerJoin('student_payers as l', (join) =>
      sameTenant(join, 'l.id', 'a.id').onRef('l.payer_id', '=', 'a.payer_id'),
    )
    .innerJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id').on('y.removed', '=', false))
    .select(['y.link_id', openOfPayer(sql`y.id`).as('conta')])
    .where('a.id', '=', studentId)
    .where('a.user_id', '=', userId)
    .compile(),
);

const DAY_MS = 86_400_000;

/** Charges of the student that are paid, with a payment since `day`. */
const paidSince = statement((db, { studentId, day }: Blanks<{ studentId: string; day: string }>) =>
  db
    .selectFrom('charges')
    .select(['id', 'descricao', 'pago'])
    .where('student_id', '=', studentId)
    .where('status', '=', 'paga')
    .where(
      sql<boolean>`exists (select from jsonb_array_elements(pagamentos) p where p->>'data' >= ${day}::text)`,
    )
    .orderBy('vencimento')
    .limit(MOST)
    .compile(),
);

export const ShowPixAccount = defineQuery('ShowPixAccount', async ({ read }): Promise<ShownPixAccount> => {
  const [row] = await read(pixAccount({}));
  if (!row || row.chave === null) return { conta: null };
  const { tipo, chave, nome, cidade, banco } = row;
  return {
    conta: {
      tipo: tipo as NonNullable<ShownPixAccount['conta']>['tipo'],
      chave,
      nome: nome ?? '',
      cidade: cidade ?? '',
      banco,
    },
  };
});
