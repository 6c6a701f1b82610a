import type { OwnData } from '../../platform/features.js';

export const expiryWarningsOwnData: OwnData = {
  trainer: {
    'avisos-de-vencimento': `select w.id, w.student_id, a.nome as aluno, w.expira_em, w.por_email, w.preparado_em, w.enviado_em
      from expiry_warnings w left join students a on a.tenant_id = w.tenant_id and a.id = w.student_id
      order by w.expira_em, w.id`,
  },
  student: {
    'avisos-de-vencimento': `select id, expira_em, por_email, preparado_em, enviado_em from expiry_warnings where student_id = $1
      order by expira_em, id`,
  },
};
