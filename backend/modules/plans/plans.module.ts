import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { plan, type ExistingPlan, type PlanState, type PlanEvent, type PlanFields } from './plan.js';
import { plansApi, planErrors, type Plan, type PlanKind } from './plans.api.js';
import { CreatePlan, RemovePlan, RestorePlan, UpdatePlan } from './plans.commands.js';
import type { Selectable } from 'kysely';
import { catalogue } from '../../platform/database/catalogue.js';
import type { Plans as StoredPlan } from '../../platform/database/schema.generated.js';

function shown(row: Selectable<StoredPlan>): Plan {
  return {
    id: row.id,
    nome: row.nome,
    descricao: row.descricao,
    valor: row.valor,
    creditos: row.creditos,
    validade_dias: row.validade_dias,
    tipo: row.tipo as PlanKind,
    is_active: row.is_active,
    criado_em: row.criado_em.toISOString(),
  };
}

const { List, Get } = catalogue('plans', { missing: 'plans.not_found', shown });

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

const planHistory: HistoryWords<PlanEvent> = {
  PlanCreated: {
    subjects,
    words: ({ nome }) => (nome === null ? 'Criou o plano' : `Criou o plano ${nome}`),
  },
  PlanUpdated: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  PlanDeactivated: said('Inativou o plano'),
  PlanReactivated: said('Reativou o plano'),
  PlanRemoved: said('Excluiu o plano'),
  PlanRestored: said('Desfez a exclusão do plano'),
};

type PlanRow = ExistingPlan & { nome: string; busca: string; criado_em: string };

/** Folded state of each plan; removed plans keep their row, so that they can be restored. */
const plans = stateProjection(plan, {
  name: 'plans',
  version: 2,
  topic: 'plans',
  table: 'plans',
  evolve(row: PlanRow | undefined, event) {
    const before: PlanState = row ?? plan.initialState;
    const after = plan.evolve(before, event);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      nome: after.nome ?? 'Plano sem nome',
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});

@Module(
  serve(plansApi, {
    list: List,
    create: CreatePlan,
    get: Get,
    update: UpdatePlan,
    remove: RemovePlan,
    restore: RestorePlan,
  }),
)
export class PlansModule {
  static readonly feature: Feature = {
    aggregates: [plan],
    projections: [plans],
    history: planHistory,
    ownData: {
      trainer: {
        planos: `select id, nome, descricao, valor, creditos, validade_dias, tipo, is_active, status = 'removed' as excluido, criado_em
          from plans order by criado_em, id`,
      },
    },
    errors: planErrors,
  };
}
