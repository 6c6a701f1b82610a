import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { subHours } from 'date-fns';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { defaultPolicy } from '../policies/policies.api.js';
import type { OwnSession, OwnSessions } from './own-sessions.api.js';

/** Spec 1, section 9: the student sees up to five. */
const SHOWN = 5;

export class ListOwnSessions extends Query<OwnSessions> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ListOwnSessions)
export class ListOwnSessionsHandler implements IQueryHandler<ListOwnSessions> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: ListOwnSessions): Promise<OwnSessions> {
    const rows = await this.database.read(
      context.tenantId,
      ahead({ studentId: context.studentId!, now: this.clock.now() }),
    );
    return {
      items: rows.map(({ limite, pedido, novo_inicio, situacao, mensagem, ...row }) => ({
        ...row,
        inicio: row.inicio.toISOString(),
        fim: row.fim.toISOString(),
        sozinho_ate: subHours(row.inicio, limite ?? defaultPolicy.cancel_limite_horas).toISOString(),
        pedido:
          pedido === null
            ? null
            : ({
                ...{ pedido, situacao, mensagem },
                novo_inicio: novo_inicio?.toISOString() ?? null,
              } as OwnSession['pedido']),
      })),
    };
  }
}

const ahead = statement((db, { studentId, now }: Blanks<{ studentId: string; now: Date }>) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('locations as l', (join) =>
      join.onRef('l.tenant_id', '=', 's.tenant_id').onRef('l.id', '=', 's.location_id'),
    )
    .leftJoin('reminders as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 's.tenant_id')
        .onRef('r.session_id', '=', 's.id')
        .onRef('r.inicio', '=', 's.inicio')
        .onRef('r.student_id', '=', 's.student_id'),
    )
    .leftJoin('policies as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.location_id'),
    )
    .leftJoin('session_requests as q', (join) =>
      join
        .onRef('q.tenant_id', '=', 's.tenant_id')
        .onRef('q.id', '=', 's.id')
        .onRef('q.inicio', '=', 's.inicio')
        .onRef('q.student_id', '=', 's.student_id')
        .on('q.situacao', 'in', ['aberto', 'recusado']),
    )
    .select(['s.id', 's.inicio', 's.fim', 'l.nome as location_nome', 's.confirmado'])
    .select(sql<boolean>`s.grupo_id is not null`.as('compartilhada'))
    .select(['c.cancel_limite_horas as limite', 'q.pedido', 'q.novo_inicio', 'q.situacao', 'q.mensagem'])
    .select(sql<boolean>`r.id is not null and r.confirmado_em is null`.as('a_confirmar'))
    .where('s.student_id', '=', studentId)
    .where('s.status', '=', 'agendada')
    .where('s.inicio', '>=', now)
    .where(sql<boolean>`not s.deleted`)
    .orderBy('s.inicio')
    .limit(SHOWN)
    .compile(),
);
