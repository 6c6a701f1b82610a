import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import type { PlanEvent, PlanFields } from './plan.js';

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

const labels: { [Field in keyof PlanFields]: (value: PlanFields[Field]) => string } = {
  nome: (nome) => (nome === null ? 'nome' : `nome (${nome})`),
  descricao: () => 'descrição',
  valor: (valor) => `valor (${reais.format(valor / 100)})`,
  creditos: (creditos) => `créditos (${creditos})`,
  validade_dias: (dias) => `validade (${dias === null ? 'sem prazo' : plural(dias, 'dia', 'dias')})`,
  tipo: (tipo) => `tipo (${tipo})`,
};

const subjects = ({ plan_id }: { plan_id: string }) => [`plan:${plan_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

function changed(changes: Partial<PlanFields>): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => (label as (value: unknown) => string)(changes[field as keyof PlanFields]))
    .join(', ');
}

export const planHistory: HistoryWords<PlanEvent> = {
  PlanCreated: {
    subjects,
    words: ({ nome }: PlanFields) => (nome === null ? 'Criou o plano' : `Criou o plano ${nome}`),
  },
  PlanUpdated: { subjects, words: (changes: Partial<PlanFields>) => `Alterou ${changed(changes)}` },
  PlanDeactivated: said('Inativou o plano'),
  PlanReactivated: said('Reativou o plano'),
  PlanRemoved: said('Excluiu o plano'),
  PlanRestored: said('Desfez a exclusão do plano'),
};
