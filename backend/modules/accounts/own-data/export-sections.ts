import type { EventRow } from '../../../platform/event-store/event-codec.js';
import type { OwnData } from '../../../platform/features.js';

/** The files of a person's copy, in order. */
const FILES = {
  personal: `alunos pagadores contatos-informados anotacoes-de-alunos importacoes-de-alunos sessoes series turmas filas-de-turmas creditos lotes-de-creditos lancamentos
    recibos dados-dos-recibos cobrancas planos servicos locais politicas tarefas listas-de-tarefas disponibilidade ferias feriados
    link-do-calendario mensalidades despesas-recorrentes meses-entregues linhas-do-extrato pagamentos-de-pagadores pix-recebidos chave-pix termos-de-cobranca provedor-pix
    codigos-do-provedor link-publico transferencias-de-creditos creditos-divididos reposicoes agendamento-de-alunos reservas lista-de-espera
    outro-calendario lembretes avisos-de-vencimento pedidos-de-alunos nomes-em-horarios-divididos contratos assinaturas
    escolhas-de-notificacoes emails-desligados emails-recentes notificacoes pausas configuracoes termos-gerais
    consultor-financeiro lacre-por-email verificacoes-de-integridade`,
  aluno: `cadastro quem-paga contato-informado pausa mensalidade sessoes filas-de-turmas reservas lista-de-espera lembretes link-do-calendario avisos-de-vencimento
    escolhas-de-notificacoes emails-desligados emails-recentes notificacoes pedidos nome-em-horarios-divididos creditos
    lotes-de-creditos creditos-divididos cobrancas pagamentos recibos contratos`,
};

const sections = (files: OwnData['trainer'] = {}, isSheet = false) =>
  Object.entries(files).map(([name, sql]) => ({ name, sql, isSheet }));

/** What the modules add to the copy of a person, by file; one that has no place among `FILES` is the first. */
export function sectionsFor(role: keyof typeof FILES, modules: readonly OwnData[]) {
  const order = FILES[role].split(/\s+/);
  return modules
    .flatMap(({ trainer, sheets, student }) =>
      role === 'personal' ? [...sections(trainer), ...sections(sheets, true)] : sections(student),
    )
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** An event with its user and device. */
export interface HistoryRow extends EventRow {
  quem: string | null;
  user_agent: string | null;
}

/** The whole log of a tenant. */
export const HISTORY = `select e.tenant_id, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta,
    e.recorded_at, u.user_metadata ->> 'nome' as quem, s.user_agent
  from events e left join auth.users u on u.id = (e.meta ->> 'actor')::uuid
  left join auth.sessions s on s.id = (e.meta ->> 'device')::uuid
  where e.tenant_id = $1 order by e.position`;
