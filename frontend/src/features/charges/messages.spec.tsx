import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, open, said, TROUBLE } from '../../../spec/screen.js';
import { ChargeForm } from './charge-form.js';
import { Receivables } from './receivables.js';

const begun = { student: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22', plan: '', session: null };

it('an online charge needs a plan, or another value', async () => {
  const user = open(
    <ChargeForm
      begun={{ ...begun, valor: 15_000, descricao: 'Aula avulsa' }}
      plans={[]}
      StudentField={() => null}
      onIssued={() => undefined}
    />,
  );
  screen.getByRole('option', { name: 'Selecione um plano' });
  await user.click(await button('Gerar link de pagamento'));
  await screen.findByText('Você precisa selecionar um plano para gerar o link de pagamento.');
});

it.each<[string, unknown, string[]]>([
  ['is made', { id: 'x' }, ['Link criado!', 'Cobrança de R$ 150,00.']],
  ['cannot be made', TROUBLE, ['Erro ao gerar a cobrança', 'Ocorreu um erro inesperado.']],
])('a link %s', async (_, answer, words) => {
  const user = open(
    <ChargeForm
      begun={{ ...begun, valor: 15_000, descricao: 'Aula avulsa' }}
      plans={[]}
      StudentField={() => null}
      onIssued={() => undefined}
    />,
    { answers: { 'POST /charges': answer } },
  );
  await user.selectOptions(screen.getByLabelText('Plano'), 'outro');
  await user.click(await button('Gerar link de pagamento'));
  expect((await said()).map((text) => text?.replace('\u00a0', ' '))).toEqual(words);
});

it('says of several charges of one student which of them was due first', async () => {
  const debtor = { id: begun.student, falta: 52_000, vencido: 40_000, desde: '2020-11-20' };
  const items = [
    { ...debtor, nome: 'Ana', quantidade: 1 },
    { ...debtor, id: 'b', nome: 'Bia', quantidade: 2 },
  ];
  open(<Receivables />, {
    answers: { 'GET /receivables': { falta: 0 }, 'GET /receivables/students': { items, next: null } },
  });
  await screen.findByText(/^1 cobrança · venceu /);
  await screen.findByText(/^2 cobranças · a primeira venceu /);
});
