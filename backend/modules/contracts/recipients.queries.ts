import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { guardianRole } from './age.api.js';
import {
  type SendingQuestion,
  MOST_MINORS,
  MOST_STUDENTS,
  type Sending,
  type SendingPreview,
} from './contracts.api.js';
import { type MergeField, usedFields } from './merge-fields.api.js';
import type { Recipient } from './sending.commands.js';

/**
 * The recipients of a contract: these students, or all active ones. Returns one more than one sending may have, so that the
 * command can refuse.
 */
export const ListRecipients = defineQuery(
  'ListRecipients',
  async ({ now, read }, alunos: Sending['alunos']): Promise<Recipient[]> => {
    const ids = idsOf(alunos);
    const [found, active] = await Promise.all([
      read(recipients({ ids, most: MOST_STUDENTS + 1, now })),
      read(activeLocations({})),
    ]);
    const all = active.map(({ id }) => id);
    const unknown = { own_ids: [] as string[], has_unplaced: false };
    // Unknown ids are passed on: the command refuses them, or knows them before the projection does.
    const people = ids?.map((id) => found.find((one) => one.id === id) ?? { id, ...unknown }) ?? found;
    return people.map(({ id, own_ids, has_unplaced }) => {
      const known = all.filter((one) => own_ids.length === 0 || own_ids.includes(one));
      const location_ids = has_unplaced ? [...known, null] : known;
      return { id, location_ids, other_ids: all.filter((one) => !known.includes(one)) };
    });
  },
);

/** What a sending will do: whose guardian signs, and what the text cannot say. */
export const PreviewSending = defineQuery(
  'PreviewSending',
  async (
    { context, now, read },
    contractId: string,
    { alunos }: SendingQuestion,
  ): Promise<SendingPreview> => {
    const people = recipients({ ids: idsOf(alunos), most: MOST_STUDENTS, now });
    const [found, [of], places] = await Promise.all([
      read(people),
      read(lastText({ contractId })),
      read(activeLocations({})),
    ]);
    if (!of) throw new Problem('contracts.not_found');
    const today = dateOf(now, context.timezone);
    const menores = found.flatMap(({ id, nome, nascimento, responsavel_nome }) => {
      const papel = guardianRole(nascimento, today);
      return papel === null
        ? []
        : [{ student_id: id, nome: nome ?? '', papel, responsavel: responsavel_nome }];
    });
    const isMissing: Partial<Record<MergeField, (row: (typeof found)[number]) => boolean>> = {
      plano: isWithoutPlan,
      valor: isWithoutPlan,
      validade: isWithoutPlan,
      local: () => places.length === 0,
      documento: () => !of.documento,
      cref: () => !of.cref,
    };
    const faltam = usedFields(of.conteudo ?? '').map((campo) => ({
      campo,
      alunos: found.filter((row) => isMissing[campo]?.(row) ?? false).length,
    }));
    return {
      menores: menores.slice(0, MOST_MINORS),
      total_menores: menores.length,
      sem_nascimento: of.responsavel ? 0 : found.filter(({ nascimento }) => nascimento === null).length,
      faltam: faltam.filter(({ alunos: count }) => count > 0),
    };
  },
);

const isWithoutPlan = ({ has_plan }: { has_plan: boolean }) => !has_plan;

const idsOf = (alunos: Sending['alunos']) => (alunos === 'todos' ? undefined : [...new Set(alunos)]);

const lastText = statement((db, { contractId }: Blanks<{ contractId: string }>) =>
  db
    .selectFrom('contracts as c')
    .leftJoin('receipt_issuers as i', 'i.tenant_id', 'c.tenant_id')
    .select(['c.responsavel', 'i.documento', 'i.cref'])
    .select(sql<string | null>`c.versoes -> -1 ->> 'conteudo'`.as('conteudo'))
    .where('c.id', '=', contractId)
    .compile(),
);

/** Sessions of so many days before now, and all later ones, say where a student trains. */
const RECENT_DAYS = 60;

const activeLocations = statement((db) =>
  db
    .selectFrom('locations')
    .select('id')
    .where('status', '=', 'existing')
    .where('is_active', '=', sql<boolean>`true`)
    .orderBy('nome')
    .orderBy('id')
    .compile(),
);

interface Asked {
  ids?: string[] | undefined;
  most: number;
  now: Date;
}

const recipients = statement((db, { ids, most, now }: Blanks<Asked>) => {
  const recent = sql`sessions x where x.tenant_id = s.tenant_id and x.student_id = s.id and not x.deleted
    and x.status <> 'cancelada' and x.inicio > ${now}::timestamptz - ${sql.lit(`${RECENT_DAYS} days`)}::interval`;
  return db
    .selectFrom('students as s')
    .leftJoin('monthly_plans as m', (join) =>
      join
        .onRef('m.tenant_id', '=', 's.tenant_id')
        .onRef('m.id', '=', 's.id')
        .on('m.ativo', '=', sql<boolean>`true`),
    )
    .select(['s.id', 's.nome', 's.nascimento', 's.responsavel_nome'])
    .select(sql<boolean>`coalesce(s.plano_id, m.plano_id) is not null`.as('has_plan'))
    .select(
      sql<
        string[]
      >`array(select l.id from locations l where l.tenant_id = s.tenant_id and l.status = 'existing'
        and l.is_active and l.id in (select x.location_id from ${recent}))`.as('own_ids'),
    )
    .select(sql<boolean>`exists (select from ${recent} and x.location_id is null)`.as('has_unplaced'))
    .$if(ids === undefined, (found) => found.where('s.status', '=', 'active'))
    .$if(ids !== undefined, (found) => found.where(sql<boolean>`s.id = any(${ids!}::uuid[])`))
    .orderBy('s.id')
    .limit(most)
    .compile();
});
