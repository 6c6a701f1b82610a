import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { plan, type PlanEvent } from '../plans/plan.js';
import { student, type StudentEvent } from '../students/student.js';
import { decideRenewal } from './plan.renewal.js';

const student_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const plan_id = '1f2b7a52-44ab-4a50-8a0b-3f6d9bb4e0f2';
const origin = { student_id, entry_id: 'line', now: new Date('2026-11-02T13:00:00.000Z') };

const registered: StudentEvent = {
  type: 'StudentRegistered',
  data: {
    student_id,
    nome: 'Ana',
    telefone: null,
    whatsapp: null,
    email: null,
    plano_id: plan_id,
    observacoes: null,
  },
};
const created = (creditos: number): PlanEvent => ({
  type: 'PlanCreated',
  data: {
    plan_id,
    nome: 'Pacote',
    descricao: null,
    valor: 80000,
    creditos,
    validade_dias: 30,
    tipo: 'pacote',
  },
});
const ana = given(student, registered);
const package10 = given(plan, created(10));

const renew = (owner = ana, its: typeof package10 | null = package10) =>
  decideRenewal(owner, its, origin, 'America/Sao_Paulo');

it("grants the plan's credits as a separate lot that waits for its payment", () => {
  expect(renew()).toMatchObject([
    {
      type: 'CreditsGranted',
      data: {
        lot_id: 'line',
        quantidade: 10,
        plano_id: plan_id,
        expira_em: '2026-12-02',
        sem_pagamento: true,
      },
    },
  ]);
});

it.each([
  ['a student without a plan', 'credits.no_plan', ana, null],
  [
    'an archived student',
    'students.archived',
    given(student, registered, { type: 'StudentArchived', data: { student_id } }),
    package10,
  ],
  [
    'a plan that was removed',
    'plans.not_found',
    ana,
    given(plan, created(10), { type: 'PlanRemoved', data: { plan_id } }),
  ],
  ['a plan that gives no credits', 'credits.plan_without_credits', ana, given(plan, created(0))],
] as const)('refuses %s', (_, code, owner, its) => {
  expect(() => renew(owner, its)).toThrow(expect.objectContaining({ code }));
});
