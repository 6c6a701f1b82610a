import type { OwnData } from '../../platform/features.js';

export const lettersOwnData: OwnData = {
  trainer: {
    'escolhas-de-notificacoes': `select c.push, c.email, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.role = 'personal'`,
    'emails-desligados': `select student_id, kind as tipo from letters_off order by student_id, kind`,
    'emails-recentes': `select person_id as student_id, at as em, withheld as nao_enviado from mail_ledger
      where person_id is not null order by at, person_id`,
  },
  student: {
    'escolhas-de-notificacoes': `select c.push, c.email, c.desligados, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.student_id = $1`,
    'emails-desligados': `select kind as tipo from letters_off where student_id = $1 order by kind`,
    'emails-recentes': `select at as em, withheld as nao_enviado from mail_ledger where person_id = $1 order by at`,
  },
};
