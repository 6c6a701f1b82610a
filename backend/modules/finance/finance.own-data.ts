import type { OwnData } from '../../platform/features.js';

export const financeOwnData: OwnData = {
  trainer: {
    'despesas-recorrentes': `select id, descricao, valor, metodo_pagamento, categoria, vence_dia, desde, ate, proximo_mes, ativa
      from recurring_expenses order by vence_dia, id`,
    'meses-entregues': 'select mes, em, mudou, antes from delivered_months order by mes',
  },
  sheets: {
    lancamentos: `select t.id, t.tipo, t.data, t.descricao, t.valor, t.metodo_pagamento,
        coalesce(t.student_id, p.student_id) as student_id, a.nome as aluno, p.charge_id, t.categoria,
        t.alocacoes, t.estorno_de, t.estornada_por, t.motivo, t.corrige_id, t.corrigida_por, t.registrada_em
      from transactions t left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join students a on a.tenant_id = t.tenant_id and a.id = coalesce(t.student_id, p.student_id)
      order by t.data, t.registrada_em, t.id`,
  },
};
