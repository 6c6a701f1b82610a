import type { OwnData } from '../../platform/features.js';

export const creditsOwnData: OwnData = {
  trainer: {
    'lotes-de-creditos': `select lot_id as id, student_id, plano_id, quantidade, restante, criado_em, expira_em,
        session_id as reposicao_de, origem as reposicao_do_lote
      from credit_lot_balances order by position, lot_id`,
    'transferencias-de-creditos': `select t.id, t.de as de_aluno, t.para as para_aluno, t.quantidade, n.motivo, t.desfeita from credit_transfers t
      left join credit_notes n on n.tenant_id = t.tenant_id and n.id = t.id order by t.id`,
    reposicoes: `select ativo, teto_percent, prazo_meses from make_up_rules`,
  },
  sheets: {
    creditos: `select e.entry_id as id, e.student_id, a.nome as aluno, e.em, e.tipo, e.quantidade, e.causa, n.motivo,
        e.lot_id as lote_id, e.plano_id, e.session_id
      from credit_entries e left join students a on a.tenant_id = e.tenant_id and a.id = e.student_id
      left join credit_notes n on n.tenant_id = e.tenant_id and n.id = e.entry_id order by e.position, e.entry_id, e.lot_id`,
  },
  student: {
    creditos: `select e.entry_id as id, e.em, e.tipo, e.quantidade, e.causa, p.nome as plano, e.session_id
      from credit_entries e left join plans p on p.tenant_id = e.tenant_id and p.id = e.plano_id
      where e.student_id = $1 order by e.position, e.entry_id, e.lot_id`,
    'lotes-de-creditos': `select l.lot_id as id, p.nome as plano, l.quantidade, l.restante, l.criado_em, l.expira_em,
        l.session_id as reposicao_de
      from credit_lot_balances l left join plans p on p.tenant_id = l.tenant_id and p.id = l.plano_id
      where l.student_id = $1 order by l.position, l.lot_id`,
  },
};
