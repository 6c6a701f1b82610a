import { describe, expect, it } from '@jest/globals';
import type { Plan, PlanPage } from '../../backend/modules/plans/plans.api.js';
import { countEvents } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const app = await sharedApp();
const trainer = await signUp(app);

const pack = { nome: 'Pacote 10', valor: 90_000, creditos: 10 };

const create = async (fields: object = pack, { api } = trainer) => (await api.post('/plans', fields)).body.id;
const read = async (id: string) => (await trainer.api.get<Plan>(`/plans/${id}`)).body;

describe('a plan', () => {
  it('is a package without validity by default', async () => {
    const id = await create();
    expect(await read(id)).toEqual({
      id,
      ...pack,
      descricao: null,
      validade_dias: null,
      tipo: 'pacote',
      is_active: true,
      criado_em: expect.stringMatching(/Z$/),
    });
  });

  it('is changed, deactivated and reactivated', async () => {
    const id = await create({ ...pack, tipo: 'mensal', validade_dias: 30, descricao: 'Segunda a sexta' });
    await trainer.api.patch(`/plans/${id}`, { valor: 95_000, validade_dias: null, is_active: false });
    expect(await read(id)).toMatchObject({
      nome: 'Pacote 10',
      valor: 95_000,
      validade_dias: null,
      tipo: 'mensal',
      is_active: false,
    });
    await trainer.api.patch(`/plans/${id}`, { is_active: true });
    expect(await read(id)).toMatchObject({ is_active: true });
  });

  it('may be free and without credits', async () => {
    expect(await read(await create({ nome: 'Avaliação', valor: 0, creditos: 0 }))).toMatchObject({
      valor: 0,
    });
  });

  it('is removed while it is not in use, and restored unchanged', async () => {
    const id = await create();
    const before = await read(id);
    await trainer.api.delete(`/plans/${id}`);
    await trainer.api.get(`/plans/${id}`, { status: 404 });
    await trainer.api.patch(`/plans/${id}`, { valor: 1 }, { status: 404 });
    await trainer.api.post(`/plans/${id}/restore`);
    expect(await read(id)).toEqual(before);
  });

  it('of a student is not removed, until the student has another one', async () => {
    const [plano_id, other] = [await create(), await create()];
    const fields = { nome: 'Bia', telefone: '11943214321', plano_id };
    const { id } = (await trainer.api.post('/students', fields)).body;
    await trainer.api.post(`/students/${id}/archive`);
    const { body } = await trainer.api.delete(`/plans/${plano_id}`, { status: 409 });
    expect(body).toMatchObject({
      code: 'plans.in_use',
      title:
        'Não é possível remover o plano: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
    });
    await trainer.api.patch(`/students/${id}`, { plano_id: other });
    await trainer.api.delete(`/plans/${plano_id}`);
  });

  it('that granted credits is not removed, even if no student has it now', async () => {
    const plano_id = await create();
    const fields = { nome: 'Bia', telefone: '11943214321', plano_id };
    const { id } = (await trainer.api.post('/students', fields)).body;
    await trainer.api.post(`/students/${id}/credits/renew`);
    await trainer.api.patch(`/students/${id}`, { plano_id: null });
    await trainer.api.delete(`/plans/${plano_id}`, { status: 409 });
  });
});

it('plans are listed by name, in pages', async () => {
  const other = await signUp(app);
  for (const nome of ['Ótimo', 'avulsa', 'Mensal 8']) await create({ ...pack, nome }, other);
  await other.api.delete(`/plans/${await create({ ...pack, nome: 'Desfeito' }, other)}`);
  const first = (await other.api.get<PlanPage>('/plans', { query: { limit: 2 } })).body;
  expect(first.items.map(({ nome }) => nome)).toEqual(['avulsa', 'Mensal 8']);
  const query = { limit: 2, cursor: first.next! };
  const second = (await other.api.get<PlanPage>('/plans', { query })).body;
  expect(second.items.map(({ nome }) => nome)).toEqual(['Ótimo']);
  expect([first.total, second.total, second.next]).toEqual([3, 3, null]);
});

it('are listed by their status, with a count of each', async () => {
  const other = await signUp(app);
  const [old] = [
    await create({ ...pack, nome: 'Antigo' }, other),
    await create({ ...pack, nome: 'Novo' }, other),
  ];
  await other.api.patch(`/plans/${old}`, { is_active: false });
  const listed = async (situacao?: string) => {
    const { body } = await other.api.get<PlanPage>('/plans', { query: situacao ? { situacao } : {} });
    return [body.items.map(({ nome }) => nome), body.total];
  };
  expect(await listed('ativos')).toEqual([['Novo'], 1]);
  expect(await listed('inativos')).toEqual([['Antigo'], 1]);
  expect(await listed()).toEqual([['Antigo', 'Novo'], 2]);
});

it.each<[object, string, string]>([
  [{ ...pack, nome: 'P' }, '/nome', 'Nome deve ter pelo menos 2 caracteres'],
  [{ ...pack, valor: -1 }, '/valor', 'Valor deve ser maior que zero'],
  [{ ...pack, valor: 1e15 }, '/valor', 'Use no máximo R$ 1.000.000,00'],
  [{ ...pack, creditos: -1 }, '/creditos', 'Créditos deve ser um número positivo'],
  [{ ...pack, creditos: 1001 }, '/creditos', 'Use no máximo 1000 créditos'],
  [{ ...pack, creditos: null }, '/creditos', 'Créditos deve ser um número positivo'],
  [{ ...pack, validade_dias: 0 }, '/validade_dias', 'O valor mínimo é 1'],
  [
    { ...pack, tipo: 'semanal' },
    '/tipo',
    'Use um destes valores: pacote, mensal, trimestral, semestral, anual',
  ],
])('%j is refused, and nothing is written', async (fields, pointer, detail) => {
  const before = await countEvents();
  const { body } = await trainer.api.post('/plans', fields, { status: 400 });
  expect(body).toMatchObject({ errors: [{ pointer, detail }] });
  expect(await countEvents()).toBe(before);
});

it('a rebuild gives the same plans', async () => {
  await trainer.api.get('/plans');
  await expectRebuildToEqualLive(app, 'plans');
});
