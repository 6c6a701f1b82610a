/** Slugs that look like addresses of Rende, or are used by its pages. */
const reserved = new Set(
  (
    'admin administrador agenda ajuda ajustes aluno alunos api app assets atendimento auth blog cadastro conta contato ' +
    'contratos convite dev entrar equipe espera financeiro help home link login mail oficial p pagamento pagamentos pagar personal ' +
    'pix planos privacidade public publico recibo rende reserva reservas root seguranca sistema static status suporte ' +
    'support termos verificar www'
  ).split(' '),
);
export const isReserved = (slug: string): boolean => reserved.has(slug);
