import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { type Plan, planErrors } from '../../../../backend/modules/plans/plans.api.js';
import { type Answers, button, field, open, Refusal, said, TROUBLE } from '../../../spec/screen.js';
import NewPlanPage from './new-plan-page.js';
import PlansPage from './plans-page.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12';
const monthly = {
  id: ID,
  nome: 'Mensal 8',
  descricao: null,
  valor: 48_000,
  creditos: 8,
  validade_dias: null,
  tipo: 'mensal',
  is_active: true,
  criado_em: '2026-11-02T12:00:00.000Z',
} satisfies Plan;

const listed = (answers: Answers) =>
  open(<PlansPage />, { answers: { 'GET /plans': { items: [monthly], next: null, total: 1 }, ...answers } });
const refused = (code: 'plans.not_found' | 'plans.in_use') =>
  new Refusal(planErrors[code].status, { code, title: planErrors[code].title });

describe('plans', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['is created', { id: ID }, ['Plano criado']],
    ['cannot be created', TROUBLE, ['Erro ao criar plano', 'Ocorreu um erro inesperado.']],
  ])('a plan %s', async (_, answer, words) => {
    const user = open(<NewPlanPage />, { answers: { 'POST /plans': answer } });
    await user.type(await field('Nome *'), 'Mensal 8');
    await user.type(await field('Valor *'), '480');
    await user.type(await field('Créditos *'), '8');
    await user.click(await button('Cadastrar Plano'));
    expect(await said()).toEqual(words);
  });

  it('names the required fields if several are empty', async () => {
    const user = open(<NewPlanPage />);
    await user.click(await button('Cadastrar Plano'));
    expect(await said()).toEqual(['Campos obrigatórios', 'Por favor, preencha: Nome, Valor, Créditos']);
  });

  it('needs a value, and credits that are a number', async () => {
    const user = open(<NewPlanPage />);
    await user.type(await field('Nome *'), 'Mensal 8');
    await user.type(await field('Valor *'), '-1');
    await user.type(await field('Créditos *'), '-1');
    await user.click(await button('Cadastrar Plano'));
    await screen.findByText('Valor deve ser maior que zero');
    await screen.findByText('Créditos deve ser um número positivo');
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is changed', { id: ID }, ['Plano atualizado']],
    ['cannot be changed', TROUBLE, ['Erro ao atualizar plano', 'Ocorreu um erro inesperado.']],
    ['is gone meanwhile', refused('plans.not_found'), ['Erro ao atualizar plano', 'Plano não encontrado']],
  ])('a plan %s', async (_, answer, words) => {
    const user = listed({ [`PATCH /plans/${ID}`]: answer });
    await user.click(await button('Editar'));
    await user.type(await field('Nome *'), ' novo');
    await user.click(await button('Salvar'));
    expect(await said()).toEqual(words);
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is removed', { id: ID }, ['Plano removido']],
    ['cannot be removed', TROUBLE, ['Erro ao remover plano', 'Ocorreu um erro inesperado.']],
    [
      'has what belongs to it',
      refused('plans.in_use'),
      [
        'Erro ao remover plano',
        'Não é possível remover o plano: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
      ],
    ],
  ])('a plan %s', async (_, answer, words) => {
    const user = listed({ [`DELETE /plans/${ID}`]: answer });
    await user.click(await button('Remover Mensal 8'));
    expect(await said()).toEqual(words);
  });

  it('shows an error if they cannot be loaded', async () => {
    open(<PlansPage />, { answers: { 'GET /plans': TROUBLE } });
    await screen.findByText('Erro ao carregar planos');
  });
});
