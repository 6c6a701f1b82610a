import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import PayersPage from './payers-page.js';
import { StudentPayer } from './student-payer.js';

const ANA = '5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e';
const carla: Payer = {
  id: '9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d',
  nome: 'Carla Souza',
  documento: null,
  email: null,
  whatsapp: '+5511987654321',
  esquecido: false,
  alunos: [],
};
const ana = {
  id: ANA,
  nome: 'Ana Souza',
  responsavel_nome: 'Carla Souza',
  responsavel_telefone: '+5511987654321',
};
const of = (pagador: Payer | null, answers: object = {}) =>
  open(<StudentPayer student={ana} closed={false} />, {
    answers: {
      [`GET /students/${ANA}/payer`]: { pagador },
      'GET /payers': { items: [carla], next: null },
      ...answers,
    },
  });

describe('who pays for a student', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['is chosen', { id: ANA }, ['Carla Souza paga por Ana Souza']],
    ['cannot be chosen', TROUBLE, ['Erro ao definir quem paga', 'Ocorreu um erro inesperado.']],
  ])('%s with a tap', async (_, answer, words) => {
    const user = of(null, { [`PUT /students/${ANA}/payer`]: answer });
    await user.click(await button('Definir'));
    await user.click(await button(/^CSCarla Souza|Carla Souza/));
    expect(await said()).toEqual(words);
  });

  it('is the student again', async () => {
    const user = of(carla, { [`PUT /students/${ANA}/payer`]: { id: ANA } });
    await user.click(await button('Trocar'));
    await user.click(await button('Ana passa a pagar por si'));
    expect(await said()).toEqual([
      'Ana Souza paga por si',
      'Quem entra na área do aluno não muda: veja em Acesso do aluno.',
    ]);
  });

  it('begins as the guardian, where nobody is registered', async () => {
    const sent: unknown[] = [];
    const user = of(null, {
      'GET /payers': { items: [], next: null },
      'POST /payers': (body: unknown) => {
        sent.push(body);
        return { id: carla.id };
      },
    });
    await user.click(await button('Definir'));
    expect((await field('Nome ou empresa *')).value).toBe('Carla Souza');
    await user.click(await button('Cadastrar'));
    expect(await said()).toEqual(['Carla Souza paga por Ana Souza']);
    expect(sent).toMatchObject([{ nome: 'Carla Souza', whatsapp: '+5511987654321', student_id: ANA }]);
  });
});

it('the list of payers invites to the first one', async () => {
  const user = open(<PayersPage />, { answers: { 'GET /payers': { items: [], next: null } } });
  await user.click(await button('Cadastrar o primeiro'));
  await user.click(await button('Cadastrar'));
  await screen.findByText('Informe o nome');
});
