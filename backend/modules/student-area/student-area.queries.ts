import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { SessionRequest, SessionRequests } from './student-area.api.js';

/** Requests of students that wait for the trainer. */
export class ListSessionRequests extends Query<SessionRequests> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

const MOST = 100;

@QueryHandler(ListSessionRequests)
export class ListSessionRequestsHandler implements IQueryHandler<ListSessionRequests> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: ListSessionRequests): Promise<SessionRequests> {
    const rows = await this.database.read(context.tenantId, waiting({ now: this.clock.now() }));
    return {
      items: rows.map(({ inicio, fim, novo_inicio, novo_fim, pedido, pedido_em, student_nome, ...row }) => ({
        ...row,
        ...{ student_nome: student_nome ?? 'Aluno apagado', pedido: pedido as SessionRequest['pedido'] },
        ...{ inicio: inicio.toISOString(), fim: fim.toISOString() },
        ...{ novo_inicio: novo_inicio?.toISOString() ?? null, novo_fim: novo_fim?.toISOString() ?? null },
        pedido_em: pedido_em.toISOString(),
      })),
    };
  }
}

/** Of sessions that are still to come as they were asked about. */
const waiting = statement((db, { now }: Blanks<{ now: Date }>) =>
  db
    .selectFrom('session_requests as r')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'r.tenant_id')
        .onRef('s.id', '=', 'r.id')
        .onRef('s.inicio', '=', 'r.inicio')
        .onRef('s.student_id', '=', 'r.student_id'),
    )
    .leftJoin('students as st', (join) =>
      join.onRef('st.tenant_id', '=', 'r.tenant_id').onRef('st.id', '=', 'r.student_id'),
    )
    .leftJoin('locations as l', (join) =>
      join.onRef('l.tenant_id', '=', 's.tenant_id').onRef('l.id', '=', 's.location_id'),
    )
    .select(['r.id', 'r.student_id', 'st.nome as student_nome', 's.inicio', 's.fim'])
    .select(['l.nome as location_nome', 'r.pedido', 'r.novo_inicio', 'r.novo_fim', 'r.motivo', 'r.pedido_em'])
    .where('r.situacao', '=', 'aberto')
    .where('s.status', '=', 'agendada')
    .where('s.inicio', '>', now)
    .where(sql<boolean>`not s.deleted`)
    .orderBy('s.inicio')
    .orderBy('r.id')
    .limit(MOST)
    .compile(),
);
