import type { ComponentProps } from 'react';
import { SearchSheet } from '../../features/search/search-sheet.js';
import type { trainerPages } from '../pages.js';
import type { Area } from './areas.js';

/** The trainer's pages that need no id. */
type Place = Exclude<keyof typeof trainerPages, `${string}:${string}` | '/ajustes/politicas/edit'>;

/** How the search over everything names each page. */
const places: Readonly<Record<Place, Omit<Area, 'to'>>> = {
  '/': { label: 'Dashboard', icon: 'home' },
  '/agenda': { label: 'Agenda', icon: 'calendar' },
  '/alunos': { label: 'Alunos', icon: 'people' },
  '/financeiro': { label: 'Financeiro', icon: 'wallet' },
  '/ajustes': { label: 'Ajustes', icon: 'settings' },
  '/cobrancas': { label: 'Cobranças', icon: 'wallet' },
  '/financeiro/extrato': { label: 'Extrato bancário', icon: 'wallet' },
  '/financeiro/e-se': { label: 'E se…', icon: 'grow' },
  '/financeiro/recorrentes': { label: 'Despesas recorrentes', icon: 'renew' },
  '/planos': { label: 'Planos', icon: 'box' },
  '/ajustes/servicos': { label: 'Serviços', icon: 'tag' },
  '/locais': { label: 'Locais', icon: 'pin' },
  '/ajustes/feriados': { label: 'Feriados', icon: 'calendar' },
  '/ajustes/politicas': { label: 'Políticas de cancelamento', icon: 'shield' },
  '/ajustes/contratos-termos': { label: 'Contratos e Termos', icon: 'edit' },
  '/ajustes/politicas-info': { label: 'Políticas e Termos Gerais', icon: 'shield' },
  '/ajustes/emitente': { label: 'Recibos e contratos', icon: 'edit' },
  '/ajustes/pix': { label: 'Pix', icon: 'pix' },
  '/ajustes/whatsapp': { label: 'WhatsApp automático', icon: 'chat' },
  '/ajustes/configuracoes': { label: 'Configurações', icon: 'settings' },
  '/link-publico': { label: 'Link público', icon: 'link' },
  '/ajustes/agendamento': { label: 'Agendamento de alunos', icon: 'calendar' },
  '/ajustes/reposicao': { label: 'Reposição', icon: 'renew' },
  '/ajustes/calendario': { label: 'Calendário', icon: 'calendar' },
  '/notificacoes': { label: 'Notificações', icon: 'bell' },
  '/ajustes/notificacoes': { label: 'Escolher notificações', icon: 'bell' },
  '/ajustes/conta': { label: 'Conta', icon: 'people' },
  '/ajustes/seguranca': { label: 'Segurança', icon: 'shield' },
  '/ajustes/dados': { label: 'Seus dados', icon: 'archive' },
  '/ajustes/integridade': { label: 'Verificar integridade', icon: 'shield' },
  '/alunos/novo': { label: 'Novo aluno', icon: 'people' },
  '/alunos/importar': { label: 'Importar alunos', icon: 'people' },
  '/planos/novo': { label: 'Novo plano', icon: 'box' },
  '/ajustes/servicos/novo': { label: 'Novo serviço', icon: 'tag' },
  '/locais/novo': { label: 'Novo local', icon: 'pin' },
  '/ajustes/contratos-termos/novo': { label: 'Novo contrato', icon: 'edit' },
};

/** Sheets that have an address of their own, and a page whose address may also name one of its kind. */
const sheets: readonly Area[] = [
  { to: '/agenda?novo=agendamento', label: 'Novo agendamento', icon: 'calendar' },
  { to: '/financeiro?novo=lancamento', label: 'Novo lançamento', icon: 'wallet' },
  { to: '/financeiro?novo=despesa', label: 'Nova despesa', icon: 'wallet' },
  { to: '/cobrancas?novo=cobranca', label: 'Nova cobrança', icon: 'wallet' },
  { to: '/pagadores', label: 'Pagadores', icon: 'people' },
  { to: '/pagadores?novo=pagador', label: 'Novo pagador', icon: 'people' },
  { to: '/agenda?ver=tarefas&novo=tarefa', label: 'Nova tarefa', icon: 'check' },
  { to: '/financeiro?consultor=aberto', label: 'Consultor Financeiro', icon: 'chat' },
  { to: '/agenda?abrir=horarios', label: 'Configurar Horários', icon: 'clock' },
  { to: '/agenda?abrir=ferias', label: 'Modo Férias', icon: 'calendar' },
  { to: '/agenda?abrir=copiar', label: 'Copiar semana', icon: 'copy' },
  { to: '/agenda?abrir=lembretes', label: 'Lembretes', icon: 'chat' },
  { to: '/agenda?abrir=links', label: 'Links públicos', icon: 'link' },
];

const isAction = ({ to }: Area) => /\/(novo|importar)$/.test(to);
const listed: readonly Area[] = Object.entries(places).map(([to, place]) => ({ to, ...place }));
/** What the search over everything finds beside persons and things. */
export const pages = listed.filter((place) => !isAction(place));
export const actions = [...sheets, ...listed.filter(isAction)];

/** The search over everything, which knows the pages too. */
export default function SearchPlaces(props: Omit<ComponentProps<typeof SearchSheet>, 'pages' | 'actions'>) {
  return <SearchSheet {...props} pages={pages} actions={actions} />;
}
