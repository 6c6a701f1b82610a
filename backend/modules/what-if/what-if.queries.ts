import { addDays, addMonths, format, parseISO, subDays } from 'date-fns';
import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { plural } from '../../platform/plural.api.js';
import { brl, clockTime, dateFormat, shortDate } from '../../platform/portuguese.js';
import { cancellationEffect } from '../agenda/cancellation.js';
import { toBillIn } from '../finance/expected.queries.js';
import { expectedLines } from '../finance/figure-lines.queries.js';
import { weekdaysInWords } from '../series/pattern.js';
import type { Agreed } from '../services/service.js';
import type { CreditUse } from '../sessions/session.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import type {
  TriedHours,
  TriedPlan,
  TriedPolicy,
  TriedStudents,
  TriedVacation,
  WhatIf,
} from './what-if.api.js';
import { byStudent, type Difference, inWords, moreOrLess, namesOf, whatIfOf } from './what-if.js';

/** Days of the past that are replayed, and months to come. */
const DAYS_BACK = 90;
const MONTHS_AHEAD = 3;
const LAST_DAYS = `os últimos ${DAYS_BACK} dias`;

const isoDay = (day: Date) => format(day, 'yyyy-MM-dd');

/** The days that are replayed, which end today, and the whole months that follow this one. */
function windowsAt(now: Date, zone: string) {
  const today = parseISO(dateOf(now, zone));
  const first = parseISO(format(addMonths(today, 1), 'yyyy-MM-01'));
  return {
    today: isoDay(today),
    past: { de: isoDay(subDays(today, DAYS_BACK - 1)), ate: isoDay(today) },
    ahead: { de: isoDay(first), ate: isoDay(subDays(addMonths(first, MONTHS_AHEAD), 1)) },
  };
}

/** "dezembro a fevereiro". */
const monthsInWords = ({ de, ate }: { de: string; ate: string }) =>
  [de, ate].map((day) => dateFormat({ month: 'long' }, 'UTC').format(new Date(day))).join(' a ');

/** Another price of a plan: what was charged at its price of then, and the monthly plans that are to be billed at it. */
export const TryPlan = defineQuery(
  'TryPlan',
  async ({ context, now, read }, id: string, { valor, creditos }: TriedPlan): Promise<WhatIf> => {
    const { past, ahead } = windowsAt(now, context.timezone);
    const [[plan], charged, billed] = await Promise.all([
      read(planNow({ id })),
      read(chargedAt({ id, valor, ...past })),
      read(toBill({ id, valor, ...ahead })),
    ]);
    if (!plan) throw new Problem('plans.not_found');
    const agreed = charged.filter(({ is_listed }) => !is_listed);
    const lines = charged.filter(({ is_listed }) => is_listed);
    const sold = lines.reduce((sum, { quantidade }) => sum + quantidade, 0);
    const more = creditos === undefined ? 0 : (creditos - plan.creditos) * sold;
    const nothing = 'ninguém foi cobrado pelo preço do plano';
    return whatIfOf(
      {
        lines,
        window: {
          ...past,
          words: (sum) => `Com ${brl(valor)}, ${LAST_DAYS} teriam dado ${moreOrLess(sum)}`,
          nothing: `Nada mudaria n${LAST_DAYS}: ${nothing}.`,
        },
      },
      {
        lines: billed,
        window: {
          ...ahead,
          words: (sum) => `De ${monthsInWords(ahead)}, as mensalidades dariam ${moreOrLess(sum)}`,
          nothing: `De ${monthsInWords(ahead)}, nada mudaria: ninguém paga mensalidade pelo preço do plano.`,
        },
      },
      [
        more !== 0 &&
          `Com ${plural(creditos!, 'crédito', 'créditos')} em vez de ${plan.creditos}, seriam ${plural(Math.abs(more), 'sessão', 'sessões')} a ${more > 0 ? 'mais' : 'menos'} em ${DAYS_BACK} dias.`,
        'Conta o que foi cobrado, pago ou não, e que todos teriam ficado.',
        agreed.length > 0 && `Fica de fora quem tem outro preço combinado: ${inWords(byStudent(agreed))}.`,
      ],
    );
  },
);

/** Other terms of cancellation: what students cancelled or missed, decided anew. */
export const TryPolicy = defineQuery(
  'TryPolicy',
  async ({ context, now, report }, tried: TriedPolicy): Promise<WhatIf> => {
    const { timezone: zone } = context;
    const { past } = windowsAt(now, zone);
    const terms = { ...tried, queima_credito: tried.queima_credito === 'sim' };
    const all: Cancelled[] = [];
    let page: Cancelled[];
    do {
      const last = all.at(-1);
      const before = last ? new Date(last.inicio) : now;
      page = await report(
        cancelled({ ...past, zone, before, beforeId: last?.id ?? FIRST_ID, location_id: tried.location_id }),
      );
      all.push(...page);
    } while (page.length === PAGE);
    const decided = all.map((row) => {
      // Only the times count: a cancellation that was in time under the former policy may be late under these terms.
      const motivo = row.motivo === 'falta' ? row.motivo : 'aluno_fora_do_prazo';
      const { confirmado, servico } = row;
      const session = { inicio: new Date(row.inicio).toISOString(), confirmado, servico };
      return {
        ...row,
        would: cancellationEffect(session, motivo, terms, row.valor, new Date(row.cancelada_em)),
      };
    });
    const credits = { were: 0, would: 0 };
    const fees = { were: 0, would: 0 };
    for (const { credito, taxa, would } of decided) {
      credits.were += credito === 'nenhum' ? 0 : 1;
      credits.would += would.usa_credito ? 1 : 0;
      fees.were += taxa;
      fees.would += would.taxa ?? 0;
    }
    const lines = decided
      .map(({ would, valor, credito, taxa, ...row }) => ({
        ...row,
        quantidade: 1,
        changes: would.usa_credito !== (credito !== 'nenhum') || (would.taxa ?? 0) !== taxa,
        valor:
          (would.taxa ?? 0) -
          taxa +
          (valor ?? 0) * (Number(would.usa_credito) - Number(credito !== 'nenhum')),
      }))
      .filter(({ changes }) => changes);
    const unknown = decided.filter(
      ({ would, valor }) => would.taxa === null || (would.usa_credito && valor === null),
    );
    const how = `${terms.cancel_limite_horas} h e ${terms.taxa_percent}%`;
    const cost = (of: 'were' | 'would') =>
      `${plural(credits[of], 'crédito', 'créditos')} e ${brl(fees[of])} de taxas`;
    return whatIfOf(
      {
        lines,
        window: {
          ...past,
          words: (sum) => `Com ${how}, ${LAST_DAYS} teriam dado ${moreOrLess(sum)}`,
          nothing:
            all.length === 0
              ? `Nenhum aluno cancelou nem faltou n${LAST_DAYS}.`
              : `Com ${how}, nada teria mudado n${LAST_DAYS}.`,
        },
      },
      null,
      [
        all.length > 0 &&
          `${plural(all.length, 'cancelamento ou falta', 'cancelamentos e faltas')}: ${cost('would')}, em vez de ${cost('were')}. Um crédito conta pelo valor da sessão.`,
        unknown.length > 0 &&
          `O valor de ${unknown.length} não pode ser calculado: o aluno estava sem plano com créditos.`,
      ],
    );
  },
);

/** Times of the week that would not be worked. */
export const TryHours = defineQuery(
  'TryHours',
  async ({ context, now, report }, { dias, inicio, fim }: TriedHours): Promise<WhatIf> => {
    const { today, past } = windowsAt(now, context.timezone);
    const ahead = { de: today, ate: isoDay(addDays(parseISO(today), DAYS_BACK)) };
    const { timezone: zone } = context;
    const rows = await report(sessionsIn({ now, zone, de: past.de, ate: ahead.ate, dias, inicio, fim }));
    const isWholeDay = inicio === '00:00' && fim === '23:59';
    const times = isWholeDay ? '' : `, das ${clockTime(inicio)} às ${clockTime(fim)}`;
    const when = `Sem atender ${weekdaysInWords(dias)}${times}`;
    const lost = lostIn(rows);
    return whatIfOf(
      {
        lines: lost.past,
        window: {
          ...past,
          words: (sum, count) => `${when}, ${LAST_DAYS} teriam tido ${lessIn(sum, count)}`,
          nothing: `${when}, nada teria mudado n${LAST_DAYS}.`,
        },
      },
      {
        lines: lost.ahead,
        window: {
          ...ahead,
          words: (sum, count) =>
            `${plural(count, 'sessão já agendada ficaria', 'sessões já agendadas ficariam')} sem horário (${brl(-sum)})`,
          nothing: 'Nenhuma sessão já agendada fica sem horário.',
        },
      },
      lost.notes,
    );
  },
);

/** Days that would be a vacation, or would have been one. */
export const TryVacation = defineQuery(
  'TryVacation',
  async ({ context, now, report }, { start_date, end_date }: TriedVacation): Promise<WhatIf> => {
    const zone = context.timezone;
    const rows = await report(
      sessionsIn({
        now,
        zone,
        de: start_date,
        ate: end_date,
        dias: [0, 1, 2, 3, 4, 5, 6],
        inicio: '00:00',
        fim: '24:00',
      }),
    );
    const days = { de: start_date, ate: end_date };
    const when = `Com férias de ${shortDate(start_date)} a ${shortDate(end_date)}`;
    const today = dateOf(now, zone);
    const lost = lostIn(rows);
    return whatIfOf(
      start_date > today
        ? null
        : {
            lines: lost.past,
            window: {
              ...days,
              words: (sum, count) => `${when}, você teria dado ${lessIn(sum, count)}`,
              nothing: `${when}, nenhuma sessão teria deixado de acontecer.`,
            },
          },
      end_date < today
        ? null
        : {
            lines: lost.ahead,
            window: {
              ...days,
              words: (sum, count) =>
                `${when}, ${plural(count, 'sessão já agendada deixaria', 'sessões já agendadas deixariam')} de acontecer (${brl(-sum)})`,
              nothing: `${when}, nenhuma sessão já agendada mudaria.`,
            },
          },
      ['Mensalidades e pacotes já cobrados ficam como estão.', ...lost.notes],
    );
  },
);

/** Students who would leave: what is expected of them in the months to come. */
export const TryStudents = defineQuery(
  'TryStudents',
  async ({ context, now, read }, { alunos }: TriedStudents): Promise<WhatIf> => {
    const { past, ahead } = windowsAt(now, context.timezone);
    const [who, expected, [packages]] = await Promise.all([
      read(named({ alunos })),
      read(expectedLines({ ...ahead, current: ahead.de })),
      read(renewed({ alunos, ...past })),
    ]);
    const lines = expected.flatMap(({ student_id, aluno, data, valor }) =>
      student_id !== null && alunos.includes(student_id)
        ? [{ student_id, nome: aluno, mes: `${data.slice(0, 7)}-01`, valor: -valor, quantidade: 1 }]
        : [],
    );
    const names = who.length > 0 ? namesOf(who) : 'esses alunos';
    const { valor, semanais } = packages!;
    return whatIfOf(
      null,
      {
        lines,
        window: {
          ...ahead,
          names: false,
          words: (sum) => `Sem ${names}, de ${monthsInWords(ahead)} viriam ${moreOrLess(sum)} que o previsto`,
          nothing: `Sem ${names}, o previsto de ${monthsInWords(ahead)} não muda.`,
        },
      },
      [
        valor > 0 &&
          `Pacotes não entram no previsto: n${LAST_DAYS}, foram ${brl(valor)} de pacotes, que não se renovariam.`,
        semanais > 0 && `Cerca de ${plural(semanais, 'hora', 'horas')} por semana ficariam livres.`,
      ],
    );
  },
);

/** The first day of a day's month. */
const monthOf = (day: RawBuilder<unknown>) => sql<string>`to_char(${day}, 'YYYY-MM-01')`;

interface Days {
  de: string;
  ate: string;
}

const planNow = statement((db, { id }: Blanks<{ id: string }>) =>
  db.selectFrom('plans').select('creditos').where('id', '=', id).where('status', '=', 'existing').compile(),
);

interface Charged extends Difference {
  /** Whether they were at the plan's price of the day on which they were issued. */
  is_listed: boolean;
}

/** The plan's charges that were due on these days, by student and month, and the difference that another price would make. */
const chargedAt = statement((db, { id, valor, de, ate }: Blanks<{ id: string; valor: number } & Days>) =>
  sql<Charged>`select c.student_id, s.nome, ${monthOf(sql`c.vencimento`)} as mes, c.valor = l.valor as is_listed,
      count(*)::int as quantidade, sum(${valor}::int - c.valor)::bigint as valor
    from charges c join students s on s.id = c.student_id
    cross join lateral (
      select (e.data ->> 'valor')::int as valor from ${sql.raw(storedEvents({ PlanCreated: [1, 2], PlanUpdated: [1, 2] }))} e
      where e.tenant_id = c.tenant_id and e.stream_id = 'plan:' || c.plano_id and e.data ? 'valor' and e.recorded_at <= c.emitida_em
      order by e.version desc limit 1
    ) l
    where c.plano_id = ${id}::uuid and c.status <> 'cancelada' and c.vencimento between ${de}::date and ${ate}::date
    group by 1, 2, 3, 4`.compile(db),
);

/** The monthly plans that are to be billed on these days at the plan's price, and the difference that another price would make. */
const toBill = statement((db, { id, valor, de, ate }: Blanks<{ id: string; valor: number } & Days>) =>
  sql<Difference>`select s.id as student_id, s.nome, ${monthOf(sql`m.mes`)} as mes, 1 as quantidade, ${valor}::int - s.valor as valor
    from generate_series(${de}::date, ${ate}::date, interval '1 month') as m(mes)
    cross join lateral (select s.id, s.nome, a.valor ${toBillIn(sql`m.mes::date`)} and a.plano_id = ${id}::uuid) s
    join plans p on p.id = ${id}::uuid and p.valor = s.valor`.compile(db),
);

/** Cancellations per statement: each costs a look into the log, and a statement may last five seconds. */
const PAGE = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Cancelled extends Omit<Difference, 'valor' | 'quantidade'> {
  id: string;
  inicio: string;
  cancelada_em: string;
  confirmado: boolean;
  servico: Agreed | null;
  motivo: CancellationReason;
  /** What it really cost: whether a credit was owed, and the fee in cents. */
  credito: CreditUse;
  taxa: number;
  /** Value of the session in cents. */
  valor: number | null;
}

/** Sessions of these days that students cancelled or missed, the latest first, each by its last event. */
const cancelled = statement(
  (
    db,
    {
      de,
      ate,
      zone,
      before,
      beforeId,
      location_id,
    }: Blanks<Days & { zone: string; before: Date; beforeId: string; location_id?: string | undefined }>,
  ) =>
    sql<Cancelled>`
    select s.id, s.student_id, w.nome, ${monthOf(sql`s.inicio at time zone ${zone}::text`)} as mes, s.inicio, e.recorded_at as cancelada_em,
      s.confirmado, s.motivo, s.credito, s.taxa, s.valor, s.servico
    from sessions s join students w on w.id = s.student_id
    cross join lateral (
      select c.recorded_at from ${sql.raw(storedEvents({ SessionCancelled: [1] }))} c
      where c.tenant_id = s.tenant_id and c.stream_id = 'session:' || s.id
      order by c.version desc limit 1
    ) e
    where s.status = 'cancelada' and not s.deleted and s.motivo <> 'personal'
      and s.inicio >= (${de}::timestamp at time zone ${zone}::text) and s.inicio < ((${ate}::date + 1)::timestamp at time zone ${zone}::text)
      and (s.inicio, s.id) < (${before}::timestamptz, ${beforeId}::uuid)
      ${location_id === undefined ? sql`` : sql`and s.location_id = ${location_id}::uuid`}
    order by s.inicio desc, s.id desc limit ${sql.lit(PAGE)}`.compile(db),
);

interface Held extends Difference {
  is_ahead: boolean;
  /** Sessions whose value is not known. */
  sem_valor: number;
}

interface Times extends Days {
  now: Date;
  zone: string;
  /** Days of the week, and the local times from and until which a session may overlap. */
  dias: number[];
  inicio: string;
  fim: string;
}

/**
 * The sessions of these days that overlap these times, by student and month. A session that is not settled yet counts as much as the
 * student's last one.
 */
const sessionsIn = statement((db, { now, zone, de, ate, dias, inicio, fim }: Blanks<Times>) => {
  const local = (instant: string) => sql`(${sql.raw(instant)} at time zone ${zone}::text)`;
  const midnight = sql`date_trunc('day', ${local('s.inicio')})`;
  return sql<Held>`with latest as (
      select distinct on (student_id) student_id, valor from sessions
      where valor is not null and not deleted order by student_id, inicio desc
    )
    select s.student_id, w.nome, ${monthOf(local('s.inicio'))} as mes, s.inicio > ${now}::timestamptz as is_ahead,
      count(*)::int as quantidade, coalesce(sum(coalesce(s.valor, l.valor)), 0)::bigint as valor,
      (count(*) filter (where s.valor is null and l.valor is null))::int as sem_valor
    from sessions s join students w on w.id = s.student_id left join latest l on l.student_id = s.student_id
    where s.status <> 'cancelada' and not s.deleted
      and s.inicio >= (${de}::timestamp at time zone ${zone}::text) and s.inicio < ((${ate}::date + 1)::timestamp at time zone ${zone}::text)
      and extract(dow from ${local('s.inicio')})::int = any(${dias}::int[])
      and ${local('s.inicio')} < ${midnight} + ${fim}::interval and ${local('s.fim')} > ${midnight} + ${inicio}::interval
    group by 1, 2, 3, 4`.compile(db);
});

/** What would be lost with these sessions, and what cannot be said of them. */
function lostIn(rows: readonly Held[]) {
  const lines = rows.map((row) => ({ ...row, valor: -row.valor }));
  const unknown = rows.reduce((sum, { sem_valor }) => sum + sem_valor, 0);
  const ahead = lines.filter(({ is_ahead }) => is_ahead);
  return {
    past: lines.filter(({ is_ahead }) => !is_ahead),
    ahead,
    notes: [
      ahead.length > 0 && 'O valor de uma sessão agendada é o da última do mesmo aluno.',
      unknown > 0 &&
        `De ${plural(unknown, 'sessão', 'sessões')} não se sabe o valor: o aluno está sem plano com créditos.`,
    ],
  };
}

/** "14 sessões a menos (R$ 980,00)". */
const lessIn = (sum: number, count: number) => `${plural(count, 'sessão', 'sessões')} a menos (${brl(-sum)})`;

interface Whose {
  alunos: string[];
}

const named = statement((db, { alunos }: Blanks<Whose>) =>
  sql<{
    nome: string | null;
  }>`select nome from students where id = any(${alunos}::uuid[]) and status <> 'removed'
    order by nome`.compile(db),
);

/** What these students were charged for packages on these days, and their hours of an average week. */
const renewed = statement((db, { alunos, de, ate }: Blanks<Whose & Days>) =>
  sql<{ valor: number; semanais: number }>`select (
      select coalesce(sum(valor), 0)::bigint from charges
      where origem = 'plano' and status <> 'cancelada' and student_id = any(${alunos}::uuid[])
        and vencimento between ${de}::date and ${ate}::date
    ) as valor, (
      select round(coalesce(extract(epoch from sum(fim - inicio)), 0) / 3600 / (${sql.lit(DAYS_BACK)} / 7.0))::int from sessions
      where student_id = any(${alunos}::uuid[]) and not deleted and status <> 'cancelada'
        and inicio >= ${de}::date and inicio < ${ate}::date + 1
    ) as semanais`.compile(db),
);
