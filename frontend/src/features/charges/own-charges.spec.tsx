import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { OwnCharge, OwnCharges as Answer } from '../../../../backend/modules/charges/charges.api.js';
import { open } from '../../../spec/screen.js';
import { OwnCharges } from './own-charges.js';

const charge: OwnCharge = {
  id: 'c',
  descricao: 'Pacote',
  valor: 30_000,
  pago: 10_000,
  falta: 20_000,
  hoje: { multa: 0, juros: 0, desconto: 0, total: 20_000 },
  vencimento: '2030-11-08',
  situacao: 'aberta',
  avisada: false,
  pix: '000201',
  adiante: ['O desconto vale até 03/11/2030.'],
  recebe: { nome: 'Marina Alves', documento: 'CPF ***.456.789-**', banco: null },
};

it('shows whom and what the payer pays, and in the open sheet that it was received', async () => {
  let answer: Answer = { items: [charge], pagas: [] };
  const user = open(<OwnCharges />, {
    answers: {
      'GET /student/charges': () => answer,
      'POST /student/charges/c/claim': () => {
        answer = { items: [], pagas: [{ id: 'c', descricao: 'Pacote', pago: 30_000 }] };
        return { ok: true };
      },
    },
  });
  await user.click(await screen.findByRole('link', { name: /^Pacote/ }));
  const sheet = await screen.findByRole('dialog');
  await within(sheet).findByText(/^Recebemos R\$\s100,00 de R\$\s300,00\. Falta pagar R\$\s200,00\.$/);
  for (const words of [
    'Marina Alves',
    'O desconto vale até 03/11/2030.',
    'CPF ***.456.789-**',
    /^Pacote · vence sex\., 8 de nov\./,
  ])
    await within(sheet).findByText(words);
  within(sheet).getByRole('link', { name: 'Ver pagamentos e recibos' });
  await user.click(within(sheet).getByRole('button', { name: 'Já paguei' }));
  await within(sheet).findByText(/^Recebemos R\$\s300,00$/);
  await within(sheet).findByRole('link', { name: 'Ver pagamentos e recibos' });
});

it('offers to pay at once what is open of everybody whom the account pays for', async () => {
  const conta = { alunos: 'Ana e Bia', total: 35_000, link: 'https://rende.example/pagar/t' };
  open(<OwnCharges />, { answers: { 'GET /student/charges': { items: [charge], pagas: [], conta } } });
  const link = await screen.findByRole('link', { name: /^Pagar tudo de Ana e Bia:\sR\$\s350,00$/ });
  expect(link.getAttribute('href')).toBe(conta.link);
});

it('says that all is paid only where nothing is owed for the others either', async () => {
  const conta = { alunos: 'Bia', total: 15_000, link: 'https://rende.example/pagar/t' };
  open(<OwnCharges />, { answers: { 'GET /student/charges': { items: [], pagas: [], conta } } });
  await screen.findByRole('link', { name: /^Pagar tudo de Bia/ });
  expect(screen.queryByText('Tudo em dia')).toBeNull();
});

it('says that all is paid', async () => {
  open(<OwnCharges />, { answers: { 'GET /student/charges': { items: [], pagas: [] } } });
  await screen.findByText('Tudo em dia');
});
