import type { OwnData } from '../../platform/features.js';

export const sessionsOwnData: OwnData = {
  sheets: {
    sessoes: `select s.id, s.student_id, a.nome as aluno, s.inicio, s.fim, s.location_id, l.nome as local, s.status,
        s.confirmado, s.credito, s.motivo, s.observacoes, s.taxa, s.valor, s.deleted as excluida
      from sessions s left join students a on a.tenant_id = s.tenant_id and a.id = s.student_id
      left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id order by s.inicio, s.id`,
  },
  student: {
    sessoes: `select s.id, s.inicio, s.fim, l.nome as local, s.status, s.confirmado, s.credito
      from sessions s left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
      where s.student_id = $1 and not s.deleted order by s.inicio, s.id`,
  },
};
