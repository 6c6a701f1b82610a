import { type RawBuilder, sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement, type Blanks } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import { fadingStudents } from '../students/fading.queries.js';
import { type AdvisorSharing, defaultSharing, type ShownSharing } from './sharing.api.js';
import type { Days } from './days.js';
import type { Named } from './names.js';
import { type Fading, MOST_NAMED, type Ranking } from './people-answers.js';

/**
 * Maximum of students whose names are recognised in a question: as many as one import may create, so that no name is
 * unknown.
 */
const MOST_KNOWN = 5000;

/** The names of students. */
export const ListNames = defineQuery(
  'ListNames',
  ({ read }, status: 'active' | 'archived' | 'removed' = 'active'): Promise<Named[]> => {
    return read(names({ status }));
  },
);

const names = statement((db, { status }: Blanks<{ status: string }>) =>
  sql<Named>`select id, nome from students where nome is not null and status = ${status}
    order by busca, id limit ${sql.lit(MOST_KNOWN)}`.compile(db),
);

export type RankedBy = keyof typeof rankings;
export type Ranked = Partial<Days> & { studentId?: string | undefined };

/** The sum of something over all students, how many have some, and those with the most. */
export const RankStudents = defineQuery(
  'RankStudents',
  async ({ context, now, read }, by: RankedBy, { de = '', ate = '', studentId }: Ranked = {}) => {
    const whom = { studentId: studentId ?? null, zone: context.timezone };
    const asked = { de, ate, ...whom, now };
    const alunos = await read(rankings[by](asked));
    return { total: alunos[0]?.total ?? 0, quantos: alunos[0]?.quantos ?? 0, alunos };
  },
);

type RankedStudent = Ranking['alunos'][number] & Pick<Ranking, 'total' | 'quantos'>;
type Asked = Days & { studentId: string | null; now: Date; zone: string };

/** `sum`: an aggregate of the rows `of` the table and of their students `s`. */
const ranked = (
  sum: string,
  of: (asked: Blanks<Asked>) => RawBuilder<unknown>,
  more = ['null', 'soma desc'],
) =>
  statement<Asked, RankedStudent>((db, asked) =>
    sql<RankedStudent>`select s.id, s.nome, ${sql.raw(sum)}::bigint as soma, ${sql.raw(more[0]!)} as desde,
      (sum(${sql.raw(sum)}) over ())::bigint as total, count(*) over ()::int as quantos
    from ${of(asked)}
    group by s.id, s.nome, s.busca
    having ${sql.raw(sum)} > 0
    order by ${sql.raw(more[1]!)}, s.busca, s.id limit ${sql.lit(MOST_NAMED)}`.compile(db),
  );

const rankings = {
  /** Whose receitas of some days there are. */
  pago: ranked(
    'sum(t.valor)',
    ({ de, ate }) => sql`transactions t
    left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
    join students s on s.tenant_id = t.tenant_id and s.id = coalesce(t.student_id, c.student_id)
    where t.tipo = 'receita' and t.data between ${de}::date and ${ate}::date`,
  ),
  /** Who owes charges that were due on a day or before, the oldest first. */
  atraso: ranked(
    'sum(c.valor - c.pago)',
    ({ ate }) => sql`charges c join students s on s.tenant_id = c.tenant_id and s.id = c.student_id
    where c.status = 'aberta' and c.vencimento <= ${ate}::date`,
    ['min(c.vencimento)', 'desde'],
  ),
  /** Who did not show up for sessions of some days. */
  faltas: ranked(
    'count(*)',
    ({ de, ate, zone, studentId }) => sql`sessions e
    join students s on s.tenant_id = e.tenant_id and s.id = e.student_id
    where not e.deleted and e.status = 'cancelada' and e.motivo = 'falta'
      and e.inicio >= ${de}::date::timestamp at time zone ${zone}::text
      and e.inicio < (${ate}::date + 1)::timestamp at time zone ${zone}::text
      and (${studentId}::uuid is null or s.id = ${studentId}::uuid)`,
  ),
  /** Sessions that are paid and still to be given: valid credits. */
  creditos: ranked(
    'sum(l.restante)',
    ({ now }) => sql`credit_lot_balances l
    join students s on s.tenant_id = l.tenant_id and s.id = l.student_id
    where l.restante > 0 and (l.expires_at is null or l.expires_at > ${now}::timestamptz) and s.status = 'active'`,
  ),
};

export const ListFading = defineQuery(
  'ListFading',
  async ({ context, now, read }): Promise<{ items: Fading[]; hasMore: boolean }> => {
    const zone = context.timezone;
    const rows = await read(fading({ now, zone, today: dateOf(now, zone) }));
    return { items: rows.slice(0, MOST_NAMED), hasMore: rows.length > MOST_NAMED };
  },
);

const fading = statement((db, { zone, ...at }: Blanks<{ now: Date; zone: string; today: string }>) =>
  sql<Fading>`select s.id, s.nome, f.ultimas, f.anteriores, (e.fim at time zone ${zone}::text)::date::text as ultima
    from ${fadingStudents(at)} f
    join students s on s.id = f.id
    left join lateral (select x.fim from sessions x
      where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted and x.status = 'feita'
      order by x.inicio desc limit 1) e on true
    order by e.fim desc nulls last, s.busca, s.id limit ${sql.lit(MOST_NAMED + 1)}`.compile(db),
);

export const ShowAdvisorSharing = defineQuery(
  'ShowAdvisorSharing',
  { config: Config },
  async ({ read }, { config }): Promise<ShownSharing> => {
    const [row] = await read(own({}));
    const { envio } = (row as AdvisorSharing | undefined) ?? defaultSharing;
    const { advisor } = config;
    return { envio, servidor: advisor ? new URL(advisor.url).host : null };
  },
);

const own = statement((db) => db.selectFrom('advisor_sharing').select('envio').compile());
