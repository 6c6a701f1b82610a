import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { type AtMoment, calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import { letterSwitchedOffBy } from '../letters/notification-settings.queries.js';
import { whoPays } from '../payers/payers.queries.js';
import { type OpenCharge, owedInWords, owedOn } from './charge-terms.api.js';
import { billMessage, openOfPayer, sumOf } from './bills.queries.js';
import { openCharge, toPayer, whatsAppLink } from './charges.queries.js';
import { stepOf } from './days.js';
import { PaymentLinks } from './payment-links.service.js';
import type { Age, DebtorList, DebtorPage, Receivables, Reminders } from './receivables.api.js';

const place = z.tuple([calendarDate, id]);
/** The most messages in one day's queue. */
const MOST_REMINDERS = 100;
/** No reminder is sent for this time after "Já paguei", so that the trainer can check the payment. */
const CLAIM_DAYS = 3;

export const ShowReceivables = defineQuery(
  'ShowReceivables',
  { past: PastTables },
  async ({ context }, { past }, { at }: AtMoment = {}): Promise<Receivables> => {
    const { now, read } = await past.at(context.tenantId, at, { tables: ['charges'] });
    const rows = await read(ages({ today: dateOf(now, context.timezone) }));
    const order: Age[] = ['a_vencer', 'hoje', 'ate_7', 'ate_30', 'mais'];
    const faixas = order.map((faixa) => {
      const row = rows.find((each) => each.faixa === faixa);
      return { faixa, quantidade: row?.quantidade ?? 0, falta: row?.falta ?? 0 };
    });
    const sum = (from: number) => faixas.slice(from).reduce((total, { falta }) => total + falta, 0);
    return { at, falta: sum(0), vencido: sum(2), alunos: rows[0]?.alunos ?? 0, faixas };
  },
);

export const ListDebtors = defineQuery(
  'ListDebtors',
  { past: PastTables },
  async ({ context }, { past }, { limit, cursor, at }: DebtorList): Promise<DebtorPage> => {
    const wanted = { tables: ['charges', 'students'], inClear: true };
    const { now, read } = await past.at(context.tenantId, at, wanted);
    const today = dateOf(now, context.timezone);
    const [desde, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(debtors({ today, desde, last, limit: limit + 1 }));
    const items = rows.slice(0, limit);
    const end = items.at(-1);
    return { at, items, next: rows.length > limit && end ? encodeCursor([end.desde, end.id]) : null };
  },
);

/** Students still to be reminded today: one message each, for the charge that was due first. */
export const ListReminders = defineQuery(
  'ListReminders',
  { links: PaymentLinks },
  async ({ context, now, read }, { links }): Promise<Reminders> => {
    const today = dateOf(now, context.timezone);
    const rows = await read(dueReminders({ today, zone: context.timezone }));
    const items = rows.map((row) => {
      const texto =
        row.conta && row.conta_link_id && row.pagador_nome !== null
          ? billMessage(
              { nome: row.pagador_nome, open: row.conta, link: links.urlOf(row.conta_link_id) },
              today,
            )
          : reminderText(row, today, links.urlOf(row.link_id));
      const { id, student_id, student_nome, descricao, vencimento, whatsapp } = row;
      return {
        id,
        student_id,
        student_nome: student_nome!,
        descricao,
        vencimento,
        texto,
        falta: row.conta ? sumOf(row.conta, today) : row.aberto.falta,
        degrau: stepOf(vencimento, today)!,
        whatsapp: whatsAppLink(whatsapp, texto),
      };
    });
    return { items };
  },
);

interface Reminded {
  student_id: string;
  student_nome: string | null;
  pagador_id: string;
  pagador_nome: string | null;
  descricao: string | null;
  aberto: OpenCharge;
  vencimento: string;
}

/** The texts before, on and after the due date, as a trainer would write them. */
function reminderText(
  { descricao, aberto, vencimento, ...who }: Reminded,
  today: string,
  link: string,
): string {
  const { hello, of } = toPayer(who);
  const { falta } = aberto;
  const what = `${brl(falta)}${descricao ? ` (${descricao})` : ''}`;
  const when =
    vencimento > today
      ? `Lembrete: a cobrança${of} de ${what} vence em ${shortDate(vencimento)}.`
      : vencimento === today
        ? `A cobrança${of} de ${what} vence hoje.`
        : `A cobrança${of} de ${what} venceu em ${shortDate(vencimento)} e continua em aberto. Se já pagou, me avise.`;
  return `${hello} ${when}${owedInWords(falta, owedOn(aberto, today))} Para pagar: ${link}`;
}

const ages = statement((db, { today }: Blanks<{ today: string }>) =>
  db
    .selectFrom('charges')
    .select(
      sql<Age>`case when vencimento > ${today}::date then 'a_vencer' when vencimento = ${today}::date then 'hoje'
        when vencimento >= ${today}::date - 7 then 'ate_7' when vencimento >= ${today}::date - 30 then 'ate_30'
        else 'mais' end`.as('faixa'),
    )
    .select([sql<number>`count(*)::int`.as('quantidade'), sql<number>`sum(valor - pago)::bigint`.as('falta')])
    .select((charges) =>
      charges
        .selectFrom('charges')
        .select(sql<number>`count(distinct student_id)::int`.as('alunos'))
        .where('status', '=', 'aberta')
        .as('alunos'),
    )
    .where('status', '=', 'aberta')
    .groupBy('faixa')
    .compile(),
);

interface DebtorsAsked {
  today: string;
  desde?: string | undefined;
  last?: string | undefined;
  limit: number;
}

const debtors = statement((db, { today, desde, last, limit }: Blanks<DebtorsAsked>) =>
  db
    .selectFrom('charges as c')
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .select(['c.student_id as id', 's.nome'])
    .select([
      sql<number>`count(*)::int`.as('quantidade'),
      sql<number>`sum(c.valor - c.pago)::bigint`.as('falta'),
      sql<number>`coalesce(sum(c.valor - c.pago) filter (where c.vencimento < ${today}::date), 0)::bigint`.as(
        'vencido',
      ),
      sql<string>`min(c.vencimento)`.as('desde'),
    ])
    .where('c.status', '=', 'aberta')
    .groupBy(['c.student_id', 's.nome'])
    .$if(desde !== undefined, (found) =>
      found.having(sql<boolean>`(min(c.vencimento), c.student_id) > (${desde!}::date, ${last!}::uuid)`),
    )
    .orderBy('desde')
    .orderBy('c.student_id')
    .limit(limit)
    .compile(),
);

interface DueOn {
  /** In the zone. */
  today: string;
  zone: string;
  byMail?: true;
}

/**
 * Charges on a step of the ladder for which no reminder was sent yet, without a current promise or a recent "Já paguei", of
 * students who were not reminded today; of each student the charge that was due first. `byMail`: only those whose payer has an e-mail
 * address and has not switched such mails off.
 */
export const dueReminders = statement((db, { today, zone, byMail }: Blanks<DueOn>) =>
  db
    .selectFrom('charges as c')
    .innerJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.student_id'),
    )
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 's.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id'))
    .distinctOn(whoPays.id)
    .select(['c.id', 'c.student_id', 's.nome as student_nome', 'c.descricao'])
    .select([whoPays.id.as('pagador_id'), whoPays.nome.as('pagador_nome')])
    .select([whoPays.whatsapp.as('whatsapp'), whoPays.email.as('email')])
    .select(['y.link_id as conta_link_id', openOfPayer(sql`y.id`).as('conta')])
    .select(['c.vencimento', 'c.link_id', openCharge.as('aberto')])
    .where('c.status', '=', 'aberta')
    .where('s.status', '=', 'active')
    .where('s.nome', 'is not', null)
    .$if(byMail !== undefined, (found) =>
      found
        .where(whoPays.email, 'is not', null)
        .where(sql<boolean>`not ${letterSwitchedOffBy(whoPays.id, 'c', 'vencimentos')}`),
    )
    .where(
      sql<boolean>`(c.avisada_em is null or (c.avisada_em at time zone ${zone}::text)::date
        < ${today}::date - ${sql.raw(String(CLAIM_DAYS))})`,
    )
    .where(sql<boolean>`c.vencimento between ${today}::date - 14 and ${today}::date + 3`)
    // A booking is asked for by its own page until it stands.
    .where(sql<boolean>`c.pago >= coalesce(c.entrada, 0)`)
    .where(sql<boolean>`(c.prometida is null or c.prometida < ${today}::date)`)
    .where(
      sql<boolean>`not exists (select from jsonb_array_elements(c.lembretes) as sent
        where (sent ->> 'degrau')::int = (case when ${today}::date - c.vencimento >= 7 then 7
          when ${today}::date - c.vencimento >= 3 then 3 when ${today}::date - c.vencimento >= 0 then 0 else -3 end))`,
    )
    .where(
      sql<boolean>`not exists (select from charges o, jsonb_array_elements(o.lembretes) as sent
        where (o.student_id = c.student_id or o.student_id in (select b.id from student_payers b where b.payer_id = y.id))
          and sent ->> 'dia' = ${today}::text)`,
    )
    .orderBy(whoPays.id)
    .orderBy('c.vencimento')
    .orderBy('c.id')
    .limit(MOST_REMINDERS)
    .compile(),
);
