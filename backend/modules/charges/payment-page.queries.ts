import { createHash } from 'node:crypto';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { AtMoment } from '../../platform/http/common.api.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { receiptPath, receiptsOpenSince } from '../finance/receipt-address.js';
import { providerCodes } from './pix-provider.queries.js';
import { aheadInWords } from './charge-terms.js';
import type { OwnCharges, PaymentPage } from './charges.api.js';
import { byId, chargesWith, forward, shown } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
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
    const { tenantId, chargeId, timezone, personal } = await this.links.find(token);
    const [[row], [account], [made]] = await Promise.all([
      this.database.read(tenantId, byId({ id: chargeId })),
      this.database.read(tenantId, pixAccount({})),
      this.database.read(tenantId, providerCodes({ id: chargeId, now: this.clock.now() })),
    ]);
    if (!row || row.student_nome === null) throw new Problem('charges.link_not_valid');
    const now = this.clock.now();
    const charge = shown(row, dateOf(now, timezone));
    const { descricao, valor, pago, falta, hoje, vencimento, situacao } = charge;
    const kept = charge.pagamentos.filter((payment) => !payment.estornado && payment.valor > 0);
    const recent = kept.filter(({ data }) => data >= receiptsOpenSince(now, timezone));
    const ids = recent.map(({ transaction_id }) => transaction_id);
    const issued = ids.length > 0 ? await this.database.read(tenantId, receiptsAmong({ ids })) : [];
    const codigo = codeFor(account, hoje.total, row.txid, made);
    const page = {
      ...{ personal, primeiro_nome: row.student_nome.split(' ')[0]!, descricao: descricao ?? 'Cobrança' },
      ...{ valor, pago, falta, hoje, vencimento, situacao, avisada: row.avisada_em !== null },
      pagamentos: kept.map((payment) => ({
        ...{ valor: payment.valor, data: payment.data },
        recibo: issued.some(({ id }) => id === payment.transaction_id)
          ? receiptPath(this.tokens, payment.transaction_id)
          : null,
      })),
      pix: codigo === null ? null : { codigo, ...payeeOf(account!) },
      adiante: aheadInWords(charge, dateOf(now, timezone)),
    };
    const versao = createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 16);
    return { ...page, versao };
  }
}

const receiptsAmong = statement((db, { ids }: Blanks<{ ids: string[] }>) =>
  db
    .selectFrom('receipts')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .compile(),
);

/** A limit that a student's open charges do not reach. */
const MOST = 50;

/** The open charges of the student who asks; as they were, without the ways to pay them. */
export const ListOwnCharges = defineQuery(
  'ListOwnCharges',
  { past: PastTables },
  async ({ context }, { past }, { at }: AtMoment): Promise<OwnCharges> => {
    const { tenantId, timezone } = context;
    const studentId = context.studentId!;
    const { now, read } = await past.at(tenantId, at, chargesWith('student_id', studentId));
    const asked = { student_id: studentId, status: 'aberta', limit: MOST };
    const today = dateOf(now, timezone);
    const yesterday = dateOf(now.getTime() - DAY_MS, timezone);
    const [rows, pagas, [account], made] = await Promise.all([
      read(forward(asked)),
      read(paidSince({ studentId, day: yesterday })),
      at === undefined ? read(pixAccount({})) : [],
      at === undefined ? read(providerCodes({ student_id: studentId, now })) : [],
    ]);
    const codes = new Map(made.map((one) => [one.id, one]));
    return {
      at,
      pagas: pagas.map(({ id, descricao, pago }) => ({ id, descricao: descricao ?? 'Cobrança', pago })),
      items: rows.map((row) => {
        const charge = shown(row, today);
        const { id, descricao, valor, pago, falta, hoje, vencimento, situacao, avisada_em } = charge;
        const pix = codeFor(account, hoje.total, row.txid, codes.get(id));
        return {
          ...{ id, descricao: descricao ?? 'Cobrança', valor, pago, falta, hoje, vencimento, situacao },
          ...{ avisada: avisada_em !== null, pix, recebe: pix === null ? null : payeeOf(account!) },
          adiante: aheadInWords(charge, today),
        };
      }),
    };
  },
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
      ...{ chave, nome: nome ?? '', cidade: cidade ?? '', banco },
    },
  };
});
