import { type InferResult, type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { type AtMoment, calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, firstName, shortDate } from '../../platform/portuguese.js';
import { PastTables, type Tables, type WantedTables } from '../../platform/projections/past-tables.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { whoPays } from '../payers/payers.queries.js';
import { providerCodes } from './pix-provider.queries.js';
import { failureWords } from './provider-failure.js';
import type { Charge, ChargeDetail, ChargeList, ChargePage, ChargeStatus } from './charges.api.js';
import { aheadInWords } from './charge-terms.js';
import { type ChargeTerms, owedInWords, firstAsked, owedOn, type OpenCharge } from './charge-terms.api.js';
import { PaymentLinks } from './payment-links.service.js';
import { codeFor, pixAccount } from './pix-notices.queries.js';

const place = z.tuple([calendarDate, id]);

export const ListCharges = defineQuery(
  'ListCharges',
  { past: PastTables },
  async ({ context }, { past }, list: ChargeList): Promise<ChargePage> => {
    const { limit, cursor, situacao, student_id, session_id, mes, at } = list;
    const wanted = student_id === undefined ? CHARGES : chargesWith('student_id', student_id);
    const { now, read } = await past.at(context.tenantId, at, wanted);
    const today = dateOf(now, context.timezone);
    const [day, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { student_id, session_id, first: mes && `${mes}-01`, ...bounds(situacao, today) };
    const isForward = situacao !== undefined && situacao !== 'paga' && situacao !== 'cancelada';
    const [rows, [total]] = await Promise.all([
      read((isForward ? forward : backward)({ ...asked, day, last, limit: limit + 1 })),
      read(totals(asked)),
    ]);
    const items = rows.slice(0, limit).map((row) => shown(row, today));
    const end = items.at(-1);
    const next = rows.length > limit && end ? encodeCursor([end.vencimento, end.id]) : null;
    return { at, items, next, total: total! };
  },
);

/** The condition for a state; whether a charge is overdue depends on the current day. */
function bounds(situacao: ChargeList['situacao'], today: string) {
  switch (situacao) {
    case undefined:
      return {};
    case 'paga':
    case 'cancelada':
      return { status: situacao };
    case 'a_receber':
      return { status: 'aberta' };
    case 'a_devolver':
      return { isToReturn: true };
    case 'aberta':
      return { status: 'aberta', from: today };
    case 'vencida':
      return { status: 'aberta', before: today };
  }
}

export const GetCharge = defineQuery(
  'GetCharge',
  { links: PaymentLinks, past: PastTables },
  async (
    { context, now, read },
    { links, past },
    id: string,
    { at }: AtMoment = {},
  ): Promise<ChargeDetail> => {
    if (at !== undefined)
      return pastCharge(await past.at(context.tenantId, at, chargesWith('charge_id', id)), context, id, at);
    const [[row], [account], [made]] = await Promise.all([
      read(byId({ id })),
      read(pixAccount({})),
      read(providerCodes({ id, now })),
    ]);
    if (!row) throw new Problem('charges.not_found');
    const charge = shown(row, dateOf(now, context.timezone));
    const link = row.status === 'aberta' ? links.urlOf(row.link_id) : null;
    const mensagem = link && messageOf(charge, row, link, dateOf(now, context.timezone));
    return {
      ...charge,
      link,
      mensagem,
      whatsapp: mensagem && whatsAppLink(row.whatsapp, mensagem),
      enviada: (row.lembretes as unknown[]).length > 0,
      pagador:
        row.pagador_id === row.student_id || row.pagador_nome === null
          ? null
          : { id: row.pagador_id, nome: row.pagador_nome },
      pix: codeFor(account, charge.pedido, row.txid, made),
      provedor: made
        ? { fez: made.valor === charge.pedido, falha: made.falha && failureWords(made.falha) }
        : null,
    };
  },
);

const CHARGES: WantedTables = { tables: ['charges', 'students', 'plans'], inClear: true };

/** What charges follow from that had this value at any time. */
export const chargesWith = (field: string, value: string): WantedTables => ({
  ...CHARGES,
  only: [{ of: 'charges', field, first: value, last: value, streams: true }],
});

/** A charge as it was, without the ways to pay it. */
async function pastCharge(
  { now, read }: Tables,
  { timezone }: RequestContext,
  id: string,
  at: string,
): Promise<ChargeDetail> {
  const [row] = await read(byId({ id }));
  if (!row) throw new Problem('past.not_there');
  const enviada = (row.lembretes as unknown[]).length > 0;
  const ways = { pagador: null, link: null, mensagem: null, whatsapp: null, pix: null, provedor: null };
  return { at, ...shown(row, dateOf(now, timezone)), ...ways, enviada };
}

/** The first words to who pays, and whose charge it is where that is somebody else. */
export function toPayer({ pagador_id, pagador_nome, student_id, student_nome }: Payer) {
  const isOther = pagador_id !== student_id && student_nome !== null;
  return {
    hello: pagador_nome === null ? 'Oi!' : `Oi, ${firstName(pagador_nome)}!`,
    of: isOther ? ` de ${firstName(student_nome)}` : '',
  };
}

interface Payer {
  pagador_id: string;
  pagador_nome: string | null;
  student_id: string;
  student_nome: string | null;
}

function messageOf(charge: Charge, row: Payer, link: string, today: string): string {
  const { descricao, falta, hoje, vencimento } = charge;
  const { hello, of } = toPayer(row);
  const until = hoje.desconto > 0 ? ` ${aheadInWords(charge, today)[0]}` : '';
  return `${hello} Segue a cobrança${of} de ${brl(falta)}${descricao ? ` (${descricao})` : ''}, com vencimento em ${shortDate(vencimento)}.${owedInWords(falta, hoje)}${until} Para pagar: ${link}`;
}

export function whatsAppLink(whatsapp: string | null, text: string): string | null {
  return whatsapp && whatsAppAddress(whatsapp, text);
}

/** What `owedOn` goes by, of a charge `c`. */
export const openCharge = sql<OpenCharge>`json_build_object('falta', c.valor - c.pago, 'vencimento', c.vencimento,
  'termos', c.termos, 'pagamentos', c.pagamentos)`;

interface Asked {
  student_id?: string | undefined;
  session_id?: string | undefined;
  /** First day of the month of the due date. */
  first?: string | undefined;
  status?: string | undefined;
  isToReturn?: boolean | undefined;
  from?: string | undefined;
  before?: string | undefined;
}
interface Page extends Asked {
  day?: string | undefined;
  last?: string | undefined;
  limit: number;
}

function chargeRows(db: Kysely<DB>) {
  return db
    .selectFrom('charges as c')
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .leftJoin('plans as p', (join) =>
      join.onRef('p.tenant_id', '=', 'c.tenant_id').onRef('p.id', '=', 'c.plano_id'),
    )
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 's.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id'))
    .selectAll('c')
    .select(['s.nome as student_nome', 'p.nome as plano_nome'])
    .select([whoPays.id.as('pagador_id'), whoPays.nome.as('pagador_nome')])
    .select([whoPays.whatsapp.as('whatsapp'), whoPays.email.as('email')]);
}

function filtered(
  db: Kysely<DB>,
  { student_id, session_id, first, status, isToReturn, from, before }: Blanks<Asked>,
) {
  return chargeRows(db)
    .$if(isToReturn !== undefined, (found) => found.where('c.devolver', '>', 0))
    .$if(student_id !== undefined, (found) => found.where('c.student_id', '=', student_id!))
    .$if(session_id !== undefined, (found) => found.where('c.session_id', '=', session_id!))
    .$if(status !== undefined, (found) => found.where('c.status', '=', status!))
    .$if(from !== undefined, (found) => found.where(sql<boolean>`c.vencimento >= ${from!}::date`))
    .$if(before !== undefined, (found) => found.where(sql<boolean>`c.vencimento < ${before!}::date`))
    .$if(first !== undefined, (found) =>
      found.where(
        sql<boolean>`c.vencimento >= ${first!}::date and c.vencimento < (${first!}::date + interval '1 month')::date`,
      ),
    );
}

export const forward = statement((db, { day, last, limit, ...asked }: Blanks<Page>) =>
  filtered(db, asked)
    .$if(day !== undefined, (found) =>
      found.where(
        sql<boolean>`c.vencimento >= ${day!}::date and (c.vencimento, c.id) > (${day!}::date, ${last!}::uuid)`,
      ),
    )
    .orderBy('c.vencimento')
    .orderBy('c.id')
    .limit(limit)
    .compile(),
);

const backward = statement((db, { day, last, limit, ...asked }: Blanks<Page>) =>
  filtered(db, asked)
    .$if(day !== undefined, (found) =>
      found.where(
        sql<boolean>`c.vencimento <= ${day!}::date and (c.vencimento, c.id) < (${day!}::date, ${last!}::uuid)`,
      ),
    )
    .orderBy('c.vencimento', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .compile(),
);

const totals = statement((db, asked: Blanks<Asked>) =>
  db
    .selectFrom(filtered(db, asked).as('f'))
    .select([
      sql<number>`count(*)::int`.as('quantidade'),
      sql<number>`coalesce(sum(f.valor), 0)::bigint`.as('valor'),
      sql<number>`coalesce(sum(f.valor - f.pago) filter (where f.status = 'aberta'), 0)::bigint`.as('falta'),
    ])
    .compile(),
);

export const byId = statement((db, { id }: Blanks<{ id: string }>) =>
  chargeRows(db).where('c.id', '=', id).compile(),
);

type Row = InferResult<ReturnType<typeof byId>>[number];

function statusOf({ status, vencimento }: Pick<Row, 'status' | 'vencimento'>, today: string): ChargeStatus {
  return status === 'aberta' && vencimento < today ? 'vencida' : (status as ChargeStatus);
}

export function shown(row: Row, today: string): Charge {
  const falta = row.status === 'aberta' ? row.valor - row.pago : 0;
  const pagamentos = row.pagamentos as Charge['pagamentos'];
  const termos = row.termos as ChargeTerms | null;
  const hoje = owedOn({ falta, vencimento: row.vencimento, termos, pagamentos }, today);
  return {
    id: row.id,
    student_id: row.student_id,
    student_nome: row.student_nome,
    plano_id: row.plano_id,
    plano_nome: row.plano_nome,
    session_id: row.session_id,
    origem: row.origem as Charge['origem'],
    descricao: row.descricao,
    valor: row.valor,
    pago: row.pago,
    falta,
    termos,
    hoje,
    pedido: (row.status === 'aberta' ? firstAsked(row) : null) ?? hoje.total,
    devolver: row.devolver,
    vencimento: row.vencimento,
    situacao: statusOf(row, today),
    creditos: row.creditos,
    grant_id: row.grant_id,
    emitida_em: row.emitida_em.toISOString(),
    avisada_em: row.avisada_em?.toISOString() ?? null,
    prometida: row.prometida,
    pagamentos,
  };
}
