import { Module } from '@nestjs/common';
import type { Feature, OwnData } from '../../platform/features.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { session, type FormerDetails, type KnownSession } from './session.js';

/** The folded state of each session; deleted ones keep their row, so that they can be restored. */
const sessions = stateProjection(session, {
  name: 'sessions',
  version: 2,
  topic: 'sessions',
  table: 'sessions',
  students: studentsOf,
  // A time was taken or is free again.
  everyStudent: 'free-times',
  evolve: (row: KnownSession | undefined, event) => session.evolve(row, event) ?? null,
});

/** The students of a session before and after the event. */
function studentsOf(data: Record<string, unknown>): string[] {
  const { student_id, antes } = data as { student_id: string; antes?: FormerDetails };
  return [student_id, ...(antes?.student_id ? [antes.student_id] : [])];
}

const sessionsOwnData: OwnData = {
  sheets: {
    sessoes: `select s.id, s.student_id, a.nome as aluno, s.inicio, s.fim, s.location_id, l.nome as local, sv.nome as servico,
        s.servico ->> 'endereco' as chamada, s.status, s.confirmado, s.credito, s.motivo, s.observacoes, s.taxa, s.valor, s.deleted as excluida
      from sessions s left join students a on a.tenant_id = s.tenant_id and a.id = s.student_id
      left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
      left join services sv on sv.tenant_id = s.tenant_id and sv.id = (s.servico->>'service_id')::uuid order by s.inicio, s.id`,
  },
  student: {
    sessoes: `select s.id, s.inicio, s.fim, l.nome as local, sv.nome as servico, s.servico ->> 'endereco' as chamada,
        s.status, s.confirmado, s.credito
      from sessions s left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
      left join services sv on sv.tenant_id = s.tenant_id and sv.id = (s.servico->>'service_id')::uuid
      where s.student_id = $1 and not s.deleted order by s.inicio, s.id`,
  },
};

/** A session and what may happen to it. What charges and credits it costs is decided with it, in `agenda`. */
@Module({})
export class SessionsModule {
  static readonly feature: Feature = {
    aggregates: [session],
    projections: [sessions],
    ownData: sessionsOwnData,
  };
}
