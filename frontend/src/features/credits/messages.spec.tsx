import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import type { RenewalState } from '../../../../backend/modules/charges/renewals.api.js';
import { AdjustSheet } from './adjust-sheet.js';
import RenewOptions from './renew-options.js';
import { TransferSheet } from './credit-account.js';
import { ShareSheet } from './share-sheet.js';
import { WaitingGrants } from './waiting-grants.js';

const none = () => null;
const student = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22';

const quantities = [
  ['1,5', 'Informe um número inteiro'],
  ['dois', 'Informe um número'],
  ['-5', 'Quantidade deve ser maior que zero'],
  ['0', 'Quantidade deve ser maior que zero'],
  ['99999999999', 'Use no máximo 1000 créditos'],
];

it.each(quantities)('an adjustment by %s credits says "%s"', async (typed, words) => {
  const user = open(<AdjustSheet studentId={student} opened onClose={none} />);
  const quantity = await field('Quantidade');
  await user.clear(quantity);
  await user.type(quantity, typed);
  await user.click(await button('Ajustar saldo'));
  expect(await screen.findByText(words)).toBeTruthy();
});

it.each(quantities)('a transfer of %s credits says "%s"', async (typed, words) => {
  const user = open(<TransferSheet studentId={student} opened onClose={none} />);
  const quantity = await field('Quantidade');
  await user.clear(quantity);
  await user.type(quantity, typed);
  await user.click(await button(/^Transferir/));
  expect(await screen.findByText(words)).toBeTruthy();
});

const plano_id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a23';
const charge = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a24', falta: 30_000, vencimento: '2099-11-30' };
const granted = { plano_id, quantidade: 10, em: '2026-11-20T12:00:00.000Z', cobranca: null };
const waiting = [
  { ...granted, lot_id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a25' },
  { ...granted, lot_id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a26' },
];

function renew(state: RenewalState, again = false) {
  const plan = { id: plano_id, nome: 'Pacote 10', creditos: 10, valor: 60_000 };
  return open(
    <RenewOptions renewal={{ studentId: student, studentName: 'Ana', plan }} onDone={() => undefined} />,
    { answers: { 'GET /renewal': state }, again },
  );
}

it('a renewal leads to the open charge of its plan, which its payment pays before anything else', async () => {
  const user = renew({ esperando: waiting, cobrancas: [{ ...charge, plano_id }] });
  await user.click(await button('Outra forma'));
  await screen.findByText(
    /^Já há uma cobrança deste plano em aberto \(R\$\s300,00, vence .*\): registre o pagamento nessa cobrança\.$/,
  );
  const link = screen.getByRole('link', { name: 'Ver cobrança' });
  expect(link.getAttribute('href')).toBe(`/cobrancas?cobranca=${charge.id}`);
  await user.click(await button('Registrar pagamento'));
  expect((await field('Valor recebido (R$)')).value).toBe('300,00');
  screen.getByText('Falta pagar desta cobrança em aberto.');
  await button('Registrar pagamento');
});

it('the payment of a renewal without payment adds no credits', async () => {
  const user = renew({ esperando: waiting, cobrancas: [] });
  await user.click(await button('Outra forma'));
  await screen.findByText(/ainda não tem pagamento: .* sem adicionar créditos de novo\.$/);
  screen.getByRole('link', { name: 'Emitir cobrança' });
  await user.click(await button('Registrar pagamento'));
  expect((await field('Valor recebido (R$)')).value).toBe('600,00');
  await button('Registrar pagamento');
});

it('a renewal begins with the payment, with what its charge lacks, and leads to the other ways, the last of which it begins with', async () => {
  const user = renew({ esperando: [], cobrancas: [{ ...charge, plano_id }] });
  expect((await field('Valor recebido (R$)')).value).toBe('300,00');
  await user.click(await button('Outra forma'));
  await user.click(await button('Só renovar'));
  renew({ esperando: [], cobrancas: [{ ...charge, plano_id }] }, true);
  await screen.findByRole('link', { name: 'Ver cobrança' });
});

it('says only at the oldest renewal of a plan that the next payment belongs to it', async () => {
  open(<WaitingGrants studentId={student} closed={false} />, {
    answers: { 'GET /renewal': { esperando: waiting, cobrancas: [] } },
  });
  expect(await screen.findAllByText(/^A próxima cobrança ou pagamento/)).toHaveLength(1);
  expect(screen.getAllByText(/sem pagamento$/)).toHaveLength(2);
});

it.each<[string, unknown, [string, string?]]>([
  ['ended by a tap', { id: student }, ['Os créditos não são mais divididos']],
  ['kept where that fails', TROUBLE, ['Erro ao dividir créditos', 'Ocorreu um erro inesperado.']],
])('credits that another student uses are %s', async (_, answer, words) => {
  const bia = { id: plano_id, nome: 'Bia Lima' };
  const sent: unknown[] = [];
  const user = open(
    <ShareSheet studentId={student} divisao={{ usa: null, com: [bia], texto: null }} opened onClose={none} />,
    {
      answers: {
        [`PUT /students/${bia.id}/credits/sharing`]: (body: unknown) => {
          sent.push(body);
          return answer;
        },
      },
    },
  );
  await user.click(await button('Deixar de dividir'));
  expect(await said()).toEqual(words);
  expect(sent).toEqual([{ dono_id: null, se_ainda: { dono_id: student } }]);
});
