import type { OwnData } from '../../platform/features.js';

export const chargesOwnData: OwnData = {
  trainer: {
    mensalidades: `select id as student_id, plano_id, valor, desde, ate, vence_dia, proximo_mes, ativo from monthly_plans order by id`,
    'pix-recebidos': `select id, charge_id, valor, aplicado, falta, data, decidido from arrived_pix order by data, id`,
    'chave-pix': `select tipo, chave, nome, cidade, banco from pix_accounts`,
    'provedor-pix': `select servidor, com_certificado, desde from pix_providers`,
    'codigos-do-provedor': `select id as charge_id, txid, valor, expira_em, pix_copia_e_cola from pix_codes order by id`,
  },
  sheets: {
    cobrancas: `select c.id, c.student_id, a.nome as aluno, c.origem, c.descricao, c.valor, c.pago, c.vencimento, c.status,
        c.plano_id, c.session_id, c.emitida_em, c.prometida, c.pagamentos, c.lembretes, c.lot_id as lote_id, c.grant_id as lote_pago_depois
      from charges c left join students a on a.tenant_id = c.tenant_id and a.id = c.student_id
      order by c.vencimento, c.id`,
  },
  student: {
    mensalidade: `select p.nome as plano, m.valor, m.desde, m.ate, m.vence_dia, m.ativo as ativa
      from monthly_plans m left join plans p on p.tenant_id = m.tenant_id and p.id = m.plano_id where m.id = $1`,
    cobrancas: `select id, descricao, valor, pago, vencimento, status, emitida_em, pagamentos
      from charges where student_id = $1 order by vencimento, id`,
  },
};
