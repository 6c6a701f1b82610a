import { addDays } from 'date-fns';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import type { AtMoment } from '../../platform/http/common.api.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import type { MailStop } from '../../platform/mail/mail-stops.api.js';
import { searchable } from '../../platform/searchable.api.js';
import { MONTHS_OF_PLAN } from '../plans/plan-periods.queries.js';
import { fadingStudents } from './fading.queries.js';
import {
  EXPIRY_NOTICE_DAYS,
  LOW_BALANCE,
  type KnownStudent,
  type ListedStudent,
  PLAN_NOTICE_DAYS,
  PRESENCE_DAYS,
  PRESENCE_WEEKS,
  type StudentList,
  type StudentOrder,
  type StudentPage,
  type TagList,
} from './students.api.js';
import { accountsOf, usesShared } from './credit-accounts.queries.js';

export const ListStudents = defineQuery(
  'ListStudents',
  async ({ context, now, read }, list: StudentList): Promise<StudentPage> => {
    const { q, situacao, cursor, limit, ordem, sumidos, acabando, etiqueta } = list;
    const rows = await read(
      matching[ordem]({
        status: STATUS[situacao],
        now,
        limit: limit + 1,
        cursor,
        today: dateOf(now, context.timezone),
        term: q === undefined ? undefined : searchedFor(q),
        tag: etiqueta,
        fading: sumidos && true,
        endingBy: acabando && addDays(now, EXPIRY_NOTICE_DAYS),
      }),
    );
    return { ...pageOf(rows, limit, listed), total: rows[0]?.total ?? 0 };
  },
);

export const GetStudent = defineQuery(
  'GetStudent',
  { addresses: MailAddresses, past: PastTables },
  async ({ context }, { addresses, past }, id: string, { at }: AtMoment = {}): Promise<KnownStudent> => {
    const found = async (one: string) => {
      const { now, read } = await past.at(context.tenantId, at, studentAsWas(one));
      const [row] = await read(byId({ id: one, now, today: dateOf(now, context.timezone) }));
      return { row, read };
    };
    const { row: own, read } = await found(id);
    const { row } = own ? { row: own } : await found((await read(whoStays({ id })))[0]!.id);
    if (!row) throw new Problem(at === undefined ? 'students.not_found' : 'past.not_there');
    // Whether mails arrive is only known as it is now.
    const [stop] =
      row.email === null || !row.has_stops || at !== undefined
        ? []
        : await read(stopOf({ hash: addresses.hashOf(row.email) }));
    const { cpf, nascimento, emergencia_nome, emergencia_telefone, emergencia_relacao } = row;
    const { responsavel_nome, responsavel_telefone, mensalidade } = row;
    const semanas = Array<number>(PRESENCE_WEEKS).fill(0);
    let faltas = 0;
    for (const weeks of row.weeks_ago) {
      if (weeks === null) faltas += 1;
      else semanas[PRESENCE_WEEKS - 1 - weeks]! += 1;
    }
    return {
      at,
      ...listed(row),
      cpf,
      nascimento,
      emergencia_nome,
      emergencia_telefone,
      emergencia_relacao,
      responsavel_nome,
      responsavel_telefone,
      mensalidade,
      email_parado: stop?.reason ?? null,
      frequencia: { semanas, faltas, plano: row.plano_de },
      creditos_de: row.creditos_de,
      juntados: row.juntados.map(({ juncao_id, nome }) => ({ id: juncao_id!, nome })),
    };
  },
);

/** What a student's page follows from; sessions and charges are those that were theirs at any time. */
const studentAsWas = (id: string): WantedTables => ({
  tables: [
    'students',
    'student_pauses',
    'plans',
    'monthly_plans',
    'charges',
    'sessions',
    'credit_lot_balances',
    'credit_sharing',
  ],
  inClear: true,
  only: ['sessions', 'charges'].map((of) => ({
    of,
    field: 'student_id',
    first: id,
    last: id,
    streams: true,
  })),
});

export const ListTags = defineQuery('ListTags', async ({ read }): Promise<TagList> => {
  return { items: await read(tagsInUse({ most: MOST_TAGS })) };
});

const MOST_TAGS = 200;

const tagsInUse = statement((db, { most }: Blanks<{ most: number }>) =>
  sql<TagList['items'][number]>`select t.etiqueta, count(*)::int as alunos
    from students s cross join jsonb_array_elements_text(s.etiquetas) as t (etiqueta)
    where s.status = 'active' group by t.etiqueta order by lower(t.etiqueta), t.etiqueta limit ${most}`.compile(
    db,
  ),
);

const STATUS: Record<StudentList['situacao'], string | undefined> = {
  ativos: 'active',
  arquivados: 'archived',
  todos: undefined,
};

interface StudentsAsked {
  /** Undefined: any but removed. */
  status?: string | undefined;
  now: Date;
  today: string;
  term?: string | undefined;
  fading?: true | undefined;
  endingBy?: Date | undefined;
  tag?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

const LAST = sql<string | null>`(select max(x.inicio) from sessions x
  where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted and x.status = 'feita')`;

const debtOf = (
  today: RawBuilder<string>,
) => sql<number>`(select coalesce(sum(c.valor - c.pago), 0)::float8 from charges c
  where c.tenant_id = s.tenant_id and c.student_id = s.id and c.status = 'aberta' and c.vencimento < ${today}::date)`;

/** Last day of the current pause. */
const pausedUntil = (today: RawBuilder<string>) => sql<string | null>`(select u.ate from student_pauses u
  where u.tenant_id = s.tenant_id and u.id = s.id and u.ate >= ${today}::date)`;

/** Those that the student can use: also those of the student who shares theirs. */
const creditsOf = (now: RawBuilder<Date>) => sql<number>`(select coalesce(sum(l.restante), 0)::int
  from credit_lot_balances l where l.tenant_id = s.tenant_id and l.student_id = any(${accountsOf(sql`s.id`)}) and l.restante > 0
    and (l.expires_at is null or l.expires_at > ${now}))`;

/** Sort keys of each order, which precede the name. */
const keys: Record<StudentOrder, (blanks: Blanks<StudentsAsked>) => RawBuilder<number>> = {
  nome: () => sql`0::float8`,
  saldo: ({ now }) => sql`${creditsOf(now)}::float8`,
  ultima: () => sql`coalesce(extract(epoch from ${LAST}), 0)::float8`,
  divida: ({ today }) => sql`-${debtOf(today)}::float8`,
};

const matchingBy = (key: (blanks: Blanks<StudentsAsked>) => RawBuilder<number>) =>
  statement((db, blanks: Blanks<StudentsAsked>) => {
    const { status, now, today, term, fading, endingBy, tag, cursor, limit } = blanks;
    const all = db
      .selectFrom('students as s')
      .$if(status !== undefined, (students) => students.where('s.status', '=', status!))
      .$if(status === undefined, (students) => students.where('s.status', '<>', 'removed'))
      .$if(term !== undefined, (students) => students.where(sql<boolean>`strpos(s.busca, ${term!}) > 0`))
      .$if(tag !== undefined, (students) => students.where(sql<boolean>`jsonb_exists(s.etiquetas, ${tag!})`))
      .$if(fading !== undefined, (students) =>
        students.where(
          sql<boolean>`exists (select from ${fadingStudents({ now, today })} f where f.id = s.id)`,
        ),
      )
      .$if(endingBy !== undefined, (students) =>
        students.where(
          sql<boolean>`${pausedUntil(today)} is null and (not ${usesShared} and ${creditsOf(endingBy!)} <= ${sql.lit(LOW_BALANCE)} and exists (
            select from plans p where p.tenant_id = s.tenant_id and p.id = s.plano_id and p.creditos > 0)
          or exists (select from monthly_plans m where m.tenant_id = s.tenant_id and m.id = s.id and m.ativo
            and m.ate >= ${today}::date and m.ate <= ${today}::date + ${sql.lit(PLAN_NOTICE_DAYS)}))`,
        ),
      );
    const sorted = all.select(['s.id', 's.busca', key(blanks).as('key')]).as('k');
    return details(db, { now, today }, sql<number>`coalesce(d.divida, 0)::float8`)
      .leftJoin(
        sql<{
          student_id: string;
          divida: number;
        }>`(select student_id, sum(valor - pago) as divida from charges
          where status = 'aberta' and vencimento < ${today}::date group by student_id)`.as('d'),
        (join) => join.onRef('d.student_id', '=', 's.id'),
      )
      .innerJoin(sorted, 'k.id', 's.id')
      .select(all.select(sql<number>`count(*)::int`.as('n')).as('total'))
      .$if(fading !== undefined, (students) =>
        students
          .innerJoin(fadingStudents({ now, today }).as('f'), (join) => join.onRef('f.id', '=', 's.id'))
          .select(
            sql<
              ListedStudent['presenca']
            >`jsonb_build_object('ultimas', f.ultimas, 'anteriores', f.anteriores)`.as('presenca'),
          ),
      )
      .$if(cursor !== undefined, (students) =>
        students.where(sql<boolean>`(k.key, k.busca, k.id) >
          (select ${key(blanks)}, s.busca, s.id from students s where s.id = ${cursor!})`),
      )
      .orderBy('k.key')
      .orderBy('k.busca')
      .orderBy('k.id')
      .limit(limit)
      .compile();
  });

const matching = {
  nome: matchingBy(keys.nome),
  saldo: matchingBy(keys.saldo),
  ultima: matchingBy(keys.ultima),
  divida: matchingBy(keys.divida),
} satisfies Record<StudentOrder, unknown>;

/** Of one who was merged into another, whoever is left at last; else the id itself. */
const whoStays = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<{ id: string }>`with recursive into_whom (id, step) as (
      select ${id}::uuid, 0 union all
      select m.juntado_em, w.step + 1 from into_whom w join students m on m.id = w.id where m.juntado_em is not null
    ) select id from into_whom order by step desc limit 1`.compile(db),
);

/** How many weeks ago each session of the last weeks took place, null for one that was missed of late: from the index alone. */
const presence = (now: RawBuilder<Date>) => sql<(number | null)[]>`array(
  select case x.status when 'feita' then floor(date_part('epoch', ${now}::timestamptz - x.inicio) / 604800)::int end
  from sessions x
  where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted and x.inicio < ${now}::timestamptz
    and x.inicio > ${now}::timestamptz - ${sql.lit(`${PRESENCE_WEEKS} weeks`)}::interval
    and (x.status = 'feita' or x.status = 'cancelada' and x.motivo = 'falta'
      and x.inicio >= ${now}::timestamptz - ${sql.lit(`${PRESENCE_DAYS} days`)}::interval))`;

/** Credits for a number of days: of a plan that is billed by period, for 30 a month. */
const creditsOfPlan = sql<KnownStudent['frequencia']['plano']>`case when p.creditos > 0 then
  case when p.tipo <> 'pacote' then jsonb_build_object('creditos', p.creditos, 'dias', 30 * ${MONTHS_OF_PLAN})
    when p.validade_dias is not null then jsonb_build_object('creditos', p.creditos, 'dias', p.validade_dias) end end`;

const byId = statement((db, { id, ...at }: Blanks<{ id: string; now: Date; today: string }>) =>
  details(db, at)
    .select(['s.cpf', 's.nascimento', 's.emergencia_nome', 's.emergencia_telefone', 's.emergencia_relacao'])
    .select(['s.responsavel_nome', 's.responsavel_telefone'])
    .select([presence(at.now).as('weeks_ago'), creditsOfPlan.as('plano_de')])
    .select(
      sql<string | null>`(select coalesce(o.nome, 'aluno apagado') from credit_sharing k
        join students o on o.tenant_id = k.tenant_id and o.id = k.dono_id
        where k.tenant_id = s.tenant_id and k.id = s.id)`.as('creditos_de'),
    )
    // Most tenants have none, and need not be asked for that of an address.
    .select(sql<boolean>`exists (select from mail_stops k where k.tenant_id = s.tenant_id)`.as('has_stops'))
    .select((student) =>
      jsonObjectFrom(
        student
          .selectFrom('monthly_plans as m')
          .select(['m.plano_id', 'm.valor', 'm.desde', 'm.ate', 'm.vence_dia'])
          .whereRef('m.tenant_id', '=', 's.tenant_id')
          .whereRef('m.id', '=', 's.id')
          .where('m.ativo', '=', true),
      ).as('mensalidade'),
    )
    .select((student) =>
      jsonArrayFrom(
        student
          .selectFrom('students as m')
          .select(['m.juncao_id', 'm.nome'])
          .whereRef('m.tenant_id', '=', 's.tenant_id')
          .whereRef('m.juntado_em', '=', 's.id')
          .orderBy('m.criado_em', 'desc'),
      ).as('juntados'),
    )
    .where('s.id', '=', id)
    .where('s.status', '<>', 'removed')
    .compile(),
);

const stopOf = statement((db, { hash }: Blanks<{ hash: Buffer }>) =>
  db
    .selectFrom('mail_stops')
    .select(sql<MailStop>`reason`.as('reason'))
    .where('address_hash', '=', hash)
    .orderBy('reason')
    .limit(1)
    .compile(),
);

/** Students with their plan, their credits, sessions and debts at `now`. */
function details(
  db: Kysely<DB>,
  { now, today }: Pick<Blanks<{ now: Date; today: string }>, 'now' | 'today'>,
  debt = debtOf(today),
) {
  return db
    .selectFrom('students as s')
    .leftJoin('plans as p', (join) => sameTenant(join, 'p.id', 's.plano_id'))
    .select([
      's.id',
      's.status',
      's.nome',
      's.telefone',
      's.whatsapp',
      's.email',
      's.observacoes',
      's.etiquetas',
      's.criado_em',
    ])
    .select([
      'p.id as plano_id',
      'p.nome as plano_nome',
      'p.creditos as plano_creditos',
      'p.valor as plano_valor',
    ])
    .select([creditsOf(now).as('creditos'), LAST.as('ultima'), debt.as('divida')])
    .select(pausedUntil(today).as('pausado_ate'))
    .select(
      sql<string | null>`(select min(x.inicio) from sessions x where x.tenant_id = s.tenant_id
        and x.student_id = s.id and not x.deleted and x.status = 'agendada' and x.inicio > ${now})`.as(
        'proxima',
      ),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof details>['executeTakeFirstOrThrow']>> &
  Pick<ListedStudent, 'presenca'>;

const momentOf = (at: string | null) => at && new Date(at).toISOString();

function listed({ plano_id, plano_nome, plano_creditos, plano_valor, ...row }: Row): ListedStudent {
  return {
    id: row.id,
    nome: row.nome ?? 'Aluno apagado',
    telefone: row.telefone,
    whatsapp: row.whatsapp,
    email: row.email,
    plano_id,
    plano:
      plano_id === null
        ? null
        : { id: plano_id, nome: plano_nome!, creditos: plano_creditos!, valor: plano_valor! },
    observacoes: row.observacoes,
    etiquetas: (row.etiquetas ?? []) as string[],
    creditos: row.creditos,
    arquivado: row.status === 'archived',
    esquecido: row.nome === null,
    criado_em: new Date(row.criado_em).toISOString(),
    proxima: momentOf(row.proxima),
    ultima: momentOf(row.ultima),
    divida: row.divida,
    pausado_ate: row.pausado_ate,
    ...(row.presenca && { presenca: row.presenca }),
  };
}

/** Search term for the column `busca`. Digits without letters match part of a phone, whatever its punctuation. */
export function searchedFor(q: string): string {
  return /\p{L}/u.test(q) || !/\d/.test(q) ? searchable(q) : q.replace(/\D/g, '');
}
