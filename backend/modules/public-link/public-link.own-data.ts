import type { OwnData } from '../../platform/features.js';

export const publicLinkOwnData: OwnData = {
  trainer: {
    'link-publico': `select t.slug, p.ativo, p.dias, p.duracao_min, p.intervalo_min, p.por_dia, p.ver_todos, p.antecedencia_min, p.locais,
        p.texto, p.cref, p.primeira_aula, p.whatsapp, p.indexavel, p.bloqueados from tenants t left join public_links p on p.tenant_id = t.tenant_id`,
  },
  sheets: {
    reservas: `select v.id, v.session_id, v.student_id, v.nome, v.email, s.inicio, s.fim, s.status, s.confirmado,
        v.consentimento, v.criado_em, v.mensagem
      from visits v left join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id order by v.criado_em, v.id`,
    'lista-de-espera': `select id, student_id, nome, email, location_id, de, ate, periodos, status, pulado, ofertas, criado_em
      from waitlist order by criado_em, id`,
  },
  student: {
    reservas: `select id, session_id, nome, email, consentimento, criado_em, mensagem from visits where student_id = $1
      order by criado_em, id`,
    'lista-de-espera': `select id, nome, email, location_id, de, ate, periodos, status, criado_em from waitlist where student_id = $1
      order by criado_em, id`,
  },
};
