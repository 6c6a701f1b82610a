import type { OwnData } from '../../platform/features.js';

export const studentAreaOwnData: OwnData = {
  trainer: {
    'agendamento-de-alunos': `select ativo, dias, duracao_min, intervalo_min, antecedencia_min, abertas, exige_credito from student_booking`,
    'nomes-em-horarios-divididos': `select id as student_id, mostra from partner_names order by id`,
  },
  sheets: {
    'pedidos-de-alunos': `select r.id as session_id, r.student_id, a.nome as aluno, r.inicio, r.pedido, r.novo_inicio, r.novo_fim, r.motivo,
        r.situacao, r.mensagem, r.pedido_em
      from session_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.pedido_em, r.id`,
  },
  student: {
    pedidos: `select id as session_id, inicio, pedido, novo_inicio, novo_fim, motivo, situacao, mensagem, pedido_em
      from session_requests where student_id = $1 order by pedido_em, id`,
    'nome-em-horarios-divididos': `select mostra from partner_names where id = $1`,
  },
};
