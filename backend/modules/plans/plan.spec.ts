import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideCreate,
  decideRemove,
  decideRestore,
  decideUpdate,
  offeredPlan,
  plan,
  type PlanEvent,
} from './plan.js';

const plan_id = '1f2b7a52-44ab-4a50-8a0b-3f6d9bb4e0f2';
const fields = {
  nome: 'Pacote 10',
  descricao: null,
  valor: 90_000,
  creditos: 10,
  validade_dias: 60,
  tipo: 'pacote' as const,
};
const created: PlanEvent = { type: 'PlanCreated', data: { plan_id, ...fields } };
const deactivated: PlanEvent = { type: 'PlanDeactivated', data: { plan_id } };
const removed: PlanEvent = { type: 'PlanRemoved', data: { plan_id } };

const refusal = (code: string) => expect.objectContaining({ code });

describe('a plan', () => {
  it('is changed back only while what was changed stands', () => {
    const edited = decideUpdate(given(plan, created), { valor: 95_000 });
    const back = { valor: 90_000, se_ainda: { valor: 95_000 } };
    expect(decideUpdate(given(plan, created, ...edited), back)).toMatchObject([{ data: { valor: 90_000 } }]);
    const since = decideUpdate(given(plan, created, ...edited), { valor: 99_000 });
    expect(() => decideUpdate(given(plan, created, ...edited, ...since), back)).toThrow(
      refusal('changed_since'),
    );
  });

  it('is created with its fields', () => {
    expect(decideCreate(plan_id, fields)).toEqual([created]);
  });

  it('records only what changes', () => {
    expect(
      decideUpdate(given(plan, created), { nome: 'Pacote 10', valor: 95_000, validade_dias: null }),
    ).toEqual([{ type: 'PlanUpdated', data: { plan_id, valor: 95_000, validade_dias: null } }]);
    expect(decideUpdate(given(plan, created), { valor: 90_000 })).toEqual([]);
    expect(() => decideUpdate(given(plan, created), { tipo: 'mensal' }, true)).toThrow(
      refusal('plans.kind_in_use'),
    );
    expect(decideUpdate(given(plan, created), { tipo: 'mensal' })).toHaveLength(1);
  });

  it('is deactivated and reactivated', () => {
    expect(decideUpdate(given(plan, created), { is_active: false })).toEqual([deactivated]);
    expect(decideUpdate(given(plan, created, deactivated), { is_active: true })).toEqual([
      { type: 'PlanReactivated', data: { plan_id } },
    ]);
  });

  it('can be given to a student only while it is offered', () => {
    expect(offeredPlan(given(plan, created))).toMatchObject(fields);
    expect(() => offeredPlan(given(plan, created, deactivated))).toThrow(refusal('plans.inactive'));
    expect(() => offeredPlan(given(plan, created, removed))).toThrow(refusal('plans.not_found'));
    expect(() => offeredPlan(given(plan))).toThrow(refusal('plans.not_found'));
  });

  it('is removed only while it is not in use, and restored unchanged', () => {
    expect(decideRemove(given(plan, created), false)).toEqual([removed]);
    expect(() => decideRemove(given(plan, created), true)).toThrow(refusal('plans.in_use'));
    const [restored] = decideRestore(given(plan, created, removed));
    expect(given(plan, created, removed, restored!)).toEqual(given(plan, created));
    expect(decideRestore(given(plan, created))).toEqual([]);
  });

  it('is not found before it was created or after it was removed', () => {
    expect(() => decideUpdate(given(plan), { nome: 'Outro' })).toThrow(refusal('plans.not_found'));
    expect(() => decideRemove(given(plan, created, removed), false)).toThrow(refusal('plans.not_found'));
    expect(() => decideRestore(given(plan))).toThrow(refusal('plans.not_found'));
  });
});
