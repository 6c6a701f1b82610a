import { type InferResult, type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { FeatureRegistry } from '../../platform/features.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { deviceName } from '../accounts/device.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import type { HistoryEntry, HistoryPage, HistoryQuery } from './history.api.js';

const place = z.tuple([z.int()]);

export const ShowHistory = defineQuery(
  'ShowHistory',
  { features: FeatureRegistry, past: PastTables },
  async ({ context, read }, { features, past }, list: HistoryQuery): Promise<HistoryPage> => {
    const { subject, limit, cursor, at } = list;
    const next = at === undefined ? undefined : (await past.positionAt(context.tenantId, at)) + 1;
    const before = cursor === undefined ? next : decodeCursor(place, cursor)[0];
    const whose = subject.startsWith('student:')
      ? { studentId: subject.slice('student:'.length) }
      : { subject };
    const rows = await read(of({ ...whose, before, limit: limit + 1 }));
    if (rows.length === 0 && cursor === undefined) throw new Problem('audit.subject_not_found');
    const shown = rows.slice(0, limit);
    return {
      at,
      items: shown.map((row) => inWords(row, features, context, row.subject)),
      next: rows.length > limit ? encodeCursor([shown.at(-1)!.position]) : null,
    };
  },
);

/** An entry of a subject's history. */
export interface HistoryPlace {
  subject: string;
  position: number;
}

/** These entries, by their positions. */
export const ShowHistoryPlaces = defineQuery(
  'ShowHistoryPlaces',
  { features: FeatureRegistry },
  async (
    { context, read },
    { features },
    places: readonly HistoryPlace[],
  ): Promise<Map<number, HistoryEntry>> => {
    if (places.length === 0) return new Map();
    const asked = {
      subjects: places.map(({ subject }) => subject),
      positions: places.map(({ position }) => position),
    };
    const rows = await read(atPlaces(asked));
    return new Map(rows.map((row) => [row.position, inWords(row, features, context)]));
  },
);

function inWords(
  { position, type, recorded_at, data, actor, actor_nome, user_agent }: Row,
  features: FeatureRegistry,
  { timezone }: RequestContext,
  of?: string,
): HistoryEntry {
  return {
    posicao: position,
    quando: recorded_at.toISOString(),
    quem: actor === null ? null : { id: actor, nome: actor_nome },
    dispositivo: deviceName(user_agent),
    evento: type,
    texto: features.all.history[type]!.words(data as never, timezone, of),
  };
}

interface PageOfHistory {
  subject?: string | undefined;
  /** Instead of a subject: a student, with all who were merged into them. */
  studentId?: string | undefined;
  before?: number | undefined;
  limit: number;
}

const entries = (db: Kysely<DB>) =>
  db
    .selectFrom('history as h')
    .leftJoin('auth.users as u', 'u.id', 'h.actor')
    // Students act by their links also without an account.
    .leftJoin('students as a', (join) =>
      join.onRef('a.tenant_id', '=', 'h.tenant_id').onRef('a.id', '=', 'h.actor'),
    )
    .leftJoin('auth.sessions as s', 's.id', 'h.device')
    .select(['h.position', 'h.type', 'h.recorded_at', 'h.data', 's.user_agent'])
    .select(sql<string | null>`coalesce(u.id, a.id)`.as('actor'))
    .select(sql<string | null>`coalesce(u.user_metadata ->> 'nome', a.nome)`.as('actor_nome'));

type Row = InferResult<ReturnType<typeof entries>>[number];

const of = statement((db, { subject, studentId, before, limit }: Blanks<PageOfHistory>) =>
  entries(db)
    .select('h.subject')
    // An event may concern both of two who are one by now: it is told as that of the one who stays.
    .distinctOn('h.position')
    .where(
      studentId === undefined
        ? sql<boolean>`h.subject = ${subject}`
        : sql<boolean>`h.subject in (select 'student:' || id from same_student(${studentId}) as same (id))`,
    )
    .$if(before !== undefined, (found) => found.where('h.position', '<', before!))
    .orderBy('h.position', 'desc')
    .$if(studentId !== undefined, (found) =>
      found.orderBy(sql`h.subject <> 'student:' || ${studentId!}::text`),
    )
    .limit(limit)
    .compile(),
);

interface PastAsked {
  studentId: string;
  from: Date;
  to: Date;
  /** Other subjects, of which all counts. */
  subjects: string[];
  /** Signature requests of the student, of which all counts too. */
  requests: string[];
  limit: number;
}

/** What happened to a student from one moment to another, with all that ever happened to these subjects; oldest first. */
export const pastOf = statement((db, { studentId, from, to, subjects, requests, limit }: Blanks<PastAsked>) =>
  entries(db)
    .select(['h.subject', 'h.actor as by'])
    .distinctOn('h.position')
    .where(
      sql<boolean>`h.subject = any(${subjects}::text[] || array(select 'student:' || id from same_student(${studentId}) as same (id)))`,
    )
    .where(
      sql<boolean>`(h.subject = any(${subjects}::text[]) or h.recorded_at >= ${from} and h.recorded_at < ${to}
        or h.data ->> 'request_id' = any(${requests}::text[]))`,
    )
    .orderBy('h.position')
    // That of a session, a charge or a policy before the student's.
    .orderBy('h.subject')
    .limit(limit)
    .compile(),
);

const atPlaces = statement(
  (db, { subjects, positions }: Blanks<{ subjects: string[]; positions: number[] }>) =>
    entries(db)
      .where(
        sql<boolean>`(h.subject, h.position) in (select * from unnest(${subjects}::text[], ${positions}::bigint[]))`,
      )
      .compile(),
);
