import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import type { SessionRequest, SessionRequestList, SessionRequests } from './student-area.api.js';

const place = z.tuple([instant, id]);

/** Open requests of students. */
export const ListSessionRequests = defineQuery(
  'ListSessionRequests',
  async ({ now, read }, list: SessionRequestList): Promise<SessionRequests> => {
    const { session_id, cursor, limit } = list;
    const [begun, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { now, session_id, begun, last, limit: limit + 1 };
    const rows = await read(waiting(asked));
    const items = rows.slice(0, limit).map(({ inicio, fim, novo_inicio, novo_fim, pedido, ...row }) => ({
      ...row,
      student_nome: row.student_nome ?? 'Aluno apagado',
      pedido: pedido as SessionRequest['pedido'],
      inicio: inicio.toISOString(),
      fim: fim.toISOString(),
      novo_inicio: novo_inicio?.toISOString() ?? null,
      novo_fim: novo_fim?.toISOString() ?? null,
      pedido_em: row.pedido_em.toISOString(),
    }));
    const end = items.at(-1);
    return { items, next: rows.length > limit && end ? encodeCursor([end.inicio, end.id]) : null };
  },
);

interface Asked {
  now: Date;
  session_id?: string | undefined;
  /** Last row of the previous page. */
  begun?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** Open requests about future sessions that have not changed since, except moves of shared hours. */
const waiting = statement((db, { now, session_id, begun, last, limit }: Blanks<Asked>) =>
  db
    .selectFrom('session_requests as r')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'r.tenant_id')
        .onRef('s.id', '=', 'r.id')
        .onRef('s.inicio', '=', 'r.inicio')
        .onRef('s.student_id', '=', 'r.student_id'),
    )
    .leftJoin('students as st', (join) => sameTenant(join, 'st.id', 'r.student_id'))
    .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
    .select(['r.id', 'r.student_id', 'st.nome as student_nome', 's.inicio', 's.fim'])
    .select(['l.nome as location_nome', 'r.pedido', 'r.novo_inicio', 'r.novo_fim', 'r.motivo'])
    .select(['r.pedido_em', 'r.no_prazo'])
    .where('r.situacao', '=', 'aberto')
    .where('s.status', '=', 'agendada')
    .where('s.inicio', '>', now)
    .where(sql<boolean>`not s.deleted`)
    .where(sql<boolean>`(r.pedido = 'desmarcar' or s.grupo_id is null)`)
    .$if(session_id !== undefined, (found) => found.where('r.id', '=', session_id!))
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(s.inicio, r.id) > (${begun!}::timestamptz, ${last!}::uuid)`),
    )
    .orderBy('s.inicio')
    .orderBy('r.id')
    .limit(limit)
    .compile(),
);
