import { type InferResult, sql } from 'kysely';
import { defineQuery, type Reading } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { Asker, Explanation, PastEvent, Thing, WhyLink } from '../../platform/event-store/why.js';
import { FeatureRegistry } from '../../platform/features.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { deviceName } from '../accounts/device.js';
import { isWhyKind, type Why, type WhyQuery } from './why.api.js';

/** The most things of a chain, each with two reads. */
const MOST_THINGS = 16;
/** The latest events of a thing that count. */
const MOST_EVENTS = 60;
/** Where the log ends. */
const NOW = Number.MAX_SAFE_INTEGER;

type Found = Omit<WhyLink, 'of'> & { of: Thing };

/**
 * A chain is walked from the log: each thing says what happened to it and what it comes from, and these do the same. Of what is
 * another student's, a student hears nothing.
 */
const explain = async (
  { context, now, read }: Reading,
  { features }: { features: FeatureRegistry },
  { de }: WhyQuery,
): Promise<Why> => {
  const { timezone, studentId, byLink = false } = context;
  const isOwn = context.role === 'aluno';
  const asker: Asker = { isOwn, byLink, timezone, now, today: dateOf(now, timezone) };
  const seen = new Set<string>();
  const explained = new Set<string>();

  const explanationOf = async (thing: Thing, isFirst: boolean): Promise<Explanation | undefined> => {
    const { kind, id, before = NOW } = thing;
    const [rows, past] = await Promise.all([
      read(features.all.why[kind]!.rows({ id, before, now, today: asker.today })),
      read(eventsOf({ subject: `${kind}:${id}`, limit: MOST_EVENTS })),
    ]);
    if (rows.length === 0) return undefined;
    const events = past.toReversed() as PastEvent[];
    const found = features.all.why[kind]!.explain(rows as never, events, asker, thing, isFirst);
    return isOwn && found?.student_id !== studentId ? undefined : found;
  };

  const walk = async (thing: Thing, isFirst: boolean): Promise<{ pergunta: string; links: Found[] }> => {
    const name = `${thing.kind}:${thing.id}:${thing.about ?? ''}`;
    if (seen.has(name) || seen.size >= MOST_THINGS) return { pergunta: '', links: [] };
    seen.add(name);
    const found = await explanationOf(thing, isFirst);
    if (!found) return { pergunta: '', links: [] };
    // What has been explained is not named again by what it leads to.
    const isNew = ({ of }: { of?: Thing }) => !of || !explained.has(`${of.kind}:${of.id}`);
    const links = found.links.filter(isNew).map((link) => ({ of: thing, ...link }));
    explained.add(`${thing.kind}:${thing.id}`);
    for (const cause of found.causes) links.push(...(await walk(cause, false)).links);
    return { pergunta: found.pergunta, links };
  };

  const [kind, name] = de.split(':') as [string, string];
  const id = name === 'own' ? (studentId ?? context.tenantId) : name;
  const start = { kind, id };
  const { pergunta, links } = await walk(start, true);
  if (pergunta === '') throw new Problem('why.not_found');
  const positions = links.flatMap(({ posicao }) => posicao ?? []);
  const acts = new Map((await read(actsAt({ positions }))).map((act) => [act.position, act]));
  const elos = links.map((link) => ({
    ...shown(link, acts.get(link.posicao ?? 0), context),
    ...(link.of === start && { de }),
  }));
  // A payment and its entry, or an entry and the one that corrects it, tell of the same act.
  const isFirst = (elo: Why['elos'][number], n: number) =>
    elos.findIndex(
      (one, m) =>
        (['titulo', 'texto', 'clausula', 'quando'] as const).every((field) => one[field] === elo[field]) &&
        (one.de === elo.de || links[m]!.posicao === links[n]!.posicao),
    ) === n;
  return { pergunta, elos: elos.filter(isFirst) };
};

export const ExplainWhy = defineQuery('ExplainWhy', { features: FeatureRegistry }, explain);
/** The same for a student, about their own. */
export const ExplainOwnWhy = defineQuery('ExplainOwnWhy', { features: FeatureRegistry }, explain);

function shown({ titulo, texto, clausula, para, of }: Found, act: Act | undefined, context: RequestContext) {
  return {
    titulo,
    texto,
    clausula: clausula ?? null,
    quando: act?.recorded_at.toISOString() ?? null,
    quem: act ? who(act, context) : null,
    dispositivo: act && !context.byLink ? deviceName(act.user_agent) : null,
    de: isWhyKind(of.kind) ? `${of.kind}:${of.id}` : null,
    // Behind a link, the student's pages have other addresses.
    para: context.byLink ? null : (para ?? null),
  };
}

/** A student is told no names but the trainer's. */
function who({ actor, nome, is_trainer }: Act, context: RequestContext): string {
  const { tenantId, userId, studentId, role } = context;
  if (actor === tenantId) return 'Rende';
  if (role !== 'aluno') return nome ?? 'Alguém';
  if (actor === userId || actor === studentId) return 'Você';
  return (is_trainer ? nome : null) ?? 'Outra pessoa';
}

const eventsOf = statement((db, { subject, limit }: Blanks<{ subject: string; limit: number }>) =>
  db
    .selectFrom('history')
    .select(['position as posicao', 'type', 'data', 'recorded_at as em'])
    .where('subject', '=', subject)
    .orderBy('position', 'desc')
    .limit(limit)
    .compile(),
);

/** Who recorded these events, when, and on which device. */
const actsAt = statement((db, { positions }: Blanks<{ positions: number[] }>) =>
  db
    .selectFrom('events as e')
    .leftJoin('auth.users as u', (join) => join.on(sql<boolean>`u.id = (e.meta ->> 'actor')::uuid`))
    // Students act by their links also without an account.
    .leftJoin('students as a', (join) =>
      join.onRef('a.tenant_id', '=', 'e.tenant_id').on(sql<boolean>`a.id = (e.meta ->> 'actor')::uuid`),
    )
    .leftJoin('auth.sessions as s', (join) =>
      join.on(
        sql<boolean>`s.id = case when e.meta ->> 'device' ~ '^[0-9a-f-]{36}$' then (e.meta ->> 'device')::uuid end`,
      ),
    )
    .leftJoin('memberships as m', (join) =>
      join
        .onRef('m.tenant_id', '=', 'e.tenant_id')
        .onRef('m.user_id', '=', 'u.id')
        .on('m.role', '=', 'personal'),
    )
    .select(['e.position', 'e.recorded_at', 's.user_agent'])
    .select(sql<string>`e.meta ->> 'actor'`.as('actor'))
    .select(sql<string | null>`coalesce(u.user_metadata ->> 'nome', a.nome)`.as('nome'))
    .select(sql<boolean>`m.user_id is not null`.as('is_trainer'))
    .where(sql<boolean>`e.position = any(${positions}::bigint[])`)
    .compile(),
);
type Act = InferResult<ReturnType<typeof actsAt>>[number];
