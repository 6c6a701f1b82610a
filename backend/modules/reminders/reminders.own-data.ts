import type { OwnData } from '../../platform/features.js';

export const remindersOwnData: OwnData = {
  trainer: {
    lembretes: `select r.id, r.session_id, r.student_id, a.nome as aluno, r.inicio, r.por_email, r.preparado_em, r.enviado_em,
        r.confirmado_em
      from reminders r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id order by r.inicio, r.id`,
  },
  student: {
    lembretes: `select id, session_id, inicio, por_email, enviado_em, confirmado_em from reminders where student_id = $1
      order by inicio, id`,
  },
};
