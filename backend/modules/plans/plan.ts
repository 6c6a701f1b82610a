import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NewPlan, PlanChanges, PlanKind } from './plans.api.js';
import { upcasters } from './upcasters.js';

/** `nome` is null once the trainer is forgotten: a plan's name is free text and may name people. */
export interface PlanFields {
  nome: string | null;
  descricao: string | null;
  /** Cents. */
  valor: number;
  creditos: number;
  /** Days after a grant at whose end its credits expire; null: never. */
  validade_dias: number | null;
  tipo: PlanKind;
}

export type PlanEvent =
  | { type: 'PlanCreated'; data: { plan_id: string } & PlanFields }
  /** Only what changed. */
  | { type: 'PlanUpdated'; data: { plan_id: string } & Partial<PlanFields> }
  | { type: 'PlanDeactivated'; data: { plan_id: string } }
  | { type: 'PlanReactivated'; data: { plan_id: string } }
  | { type: 'PlanRemoved'; data: { plan_id: string } }
  | { type: 'PlanRestored'; data: { plan_id: string } };

export type PlanState =
  | { status: 'unknown' }
  | ({ status: 'existing' | 'removed'; plan_id: string; is_active: boolean } & PlanFields);
export type ExistingPlan = Exclude<PlanState, { status: 'unknown' }>;

const personal: PersonalFields<Partial<PlanFields>> = {
  person: (_data, tenantId) => tenantId,
  fields: ['nome', 'descricao'],
  since: 2,
};
const encrypted = { schemaVersion: 2, personal };

export const plan: Aggregate<PlanState, PlanEvent> = {
  name: 'plan',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'PlanCreated') return { status: 'existing', is_active: true, ...data };
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'PlanUpdated':
        return { ...state, ...data };
      case 'PlanDeactivated':
        return { ...state, is_active: false };
      case 'PlanReactivated':
        return { ...state, is_active: true };
      case 'PlanRemoved':
        return { ...state, status: 'removed' };
      case 'PlanRestored':
        return { ...state, status: 'existing' };
    }
  },
  events: {
    PlanCreated: { ...encrypted, upcasters: upcasters.PlanCreated },
    PlanUpdated: { ...encrypted, upcasters: upcasters.PlanUpdated },
    PlanDeactivated: { schemaVersion: 1 },
    PlanReactivated: { schemaVersion: 1 },
    PlanRemoved: { schemaVersion: 1 },
    PlanRestored: { schemaVersion: 1 },
  },
};

/** The plan. @throws Problem 404 if it does not exist or was removed */
export function existingPlan(state: PlanState): ExistingPlan {
  if (state.status !== 'existing') throw new Problem('plans.not_found');
  return state;
}

/** A plan that can be assigned. @throws Problem 404 if it is missing, 409 if it is inactive; both point at `/plano_id` */
export function offeredPlan(state: PlanState): ExistingPlan {
  const refuse = (code: string, detail: string) =>
    new Problem(code, { errors: [{ pointer: '/plano_id', detail }] });
  if (state.status !== 'existing') throw refuse('plans.not_found', 'Plano não encontrado');
  if (!state.is_active) throw refuse('plans.inactive', 'Plano inativo');
  return state;
}

export function decideCreate(plan_id: string, fields: NewPlan): PlanEvent[] {
  return [{ type: 'PlanCreated', data: { plan_id, ...fields } }];
}

/** `isOfStudents`: a student has the plan, or an agreement is for it; a monthly plan comes with its agreement, a package without. */
export function decideUpdate(
  state: PlanState,
  { is_active, se_ainda, ...wanted }: PlanChanges,
  isOfStudents = false,
): PlanEvent[] {
  const current = existingPlan(state);
  refuseChanged<PlanFields & { is_active: boolean }>('O plano', current, se_ainda);
  if (isOfStudents && wanted.tipo !== undefined && wanted.tipo !== current.tipo) {
    const detail = 'Há alunos neste plano: crie outro e troque o plano deles.';
    throw new Problem('plans.kind_in_use', { detail, errors: [{ pointer: '/tipo', detail }] });
  }
  const { plan_id } = current;
  const changes = changedFields<PlanFields>(current, wanted);
  const events: PlanEvent[] = [];
  if (Object.keys(changes).length > 0) events.push({ type: 'PlanUpdated', data: { plan_id, ...changes } });
  if (is_active !== undefined && is_active !== current.is_active) {
    events.push({ type: is_active ? 'PlanReactivated' : 'PlanDeactivated', data: { plan_id } });
  }
  return events;
}

/** `inUse`: a student has the plan, or credits or transactions came from it. */
export function decideRemove(state: PlanState, inUse: boolean): PlanEvent[] {
  const { plan_id } = existingPlan(state);
  if (inUse) throw new Problem('plans.in_use');
  return [{ type: 'PlanRemoved', data: { plan_id } }];
}

export function decideRestore(state: PlanState): PlanEvent[] {
  if (state.status === 'unknown') throw new Problem('plans.not_found');
  return state.status === 'existing' ? [] : [{ type: 'PlanRestored', data: { plan_id: state.plan_id } }];
}
