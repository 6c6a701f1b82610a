import type { OwnData } from '../../platform/features.js';

export const receiptsOwnData: OwnData = {
  trainer: { 'dados-dos-recibos': `select nome, documento, cref, cidade from receipt_issuers` },
  sheets: {
    recibos: `select r.numero, r.id as transaction_id, r.student_id, r.nome, r.cpf, r.descricao, r.valor, r.data, r.metodo_pagamento,
        r.de, r.ate, r.prestador ->> 'nome' as prestador, r.prestador ->> 'documento' as documento,
        r.prestador ->> 'cref' as cref, r.emitido_em, t.estornada_por is not null as cancelado, r.guardar_ate
      from receipts r left join transactions t on t.tenant_id = r.tenant_id and t.id = r.id order by r.numero`,
  },
  student: {
    // With the descriptions of charges and receipts, which are meant for the student, not those of entries.
    pagamentos: `select t.id, t.data, t.valor, t.metodo_pagamento, coalesce(r.descricao, c.descricao) as descricao,
        t.estornada_por is not null as estornado
      from transactions t
      left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join charges c on c.tenant_id = p.tenant_id and c.id = p.charge_id
      left join receipts r on r.tenant_id = t.tenant_id and r.id = t.id and r.student_id = $1
      where t.tipo = 'receita' and t.estorno_de is null and $1 in (t.student_id, p.student_id) order by t.data, t.id`,
    recibos: `select r.numero, r.nome, r.cpf, r.descricao, r.valor, r.data, r.metodo_pagamento, r.de, r.ate, r.emitido_em,
        t.estornada_por is not null as cancelado
      from receipts r left join transactions t on t.tenant_id = r.tenant_id and t.id = r.id
      where r.student_id = $1 order by r.numero`,
  },
};
