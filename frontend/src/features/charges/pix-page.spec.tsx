import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { noTerms } from '../../../../backend/modules/charges/charge-terms.api.js';
import { button, field, open, said } from '../../../spec/screen.js';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'bia', tenantId: 'studio' }),
}));

const { default: PixPage } = await import('./pix-page.js');
const { ChargeForm } = await import('./charge-form.js');

const account = {
  tipo: 'email',
  chave: 'bia@exemplo.com.br',
  nome: 'Bia',
  cidade: 'Recife',
  banco: 'Nubank',
};
const page = () => <PixPage />;
const drafts = () => [localStorage, sessionStorage].flatMap((place) => Object.entries({ ...place })).join();

it('what was typed for the Pix key comes back', async () => {
  const user = open(page(), {
    answers: { 'GET /settings/pix': { conta: null }, 'GET /charge-terms': noTerms },
  });
  await user.type(await field('Cidade'), 'Olinda');
  expect(drafts()).toContain('Olinda');
});

it('what was typed for a charge is there after a reload, until it is discarded', async () => {
  const student = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22';
  const answers = { 'GET /renewal': { esperando: [], cobrancas: [] } };
  const form = (
    <ChargeForm
      begun={{ student, plan: '', session: null, valor: null, descricao: '' }}
      plans={[]}
      onIssued={() => undefined}
    />
  );
  const values = async () => [
    (await field('Plano')).value,
    (await field('Descrição')).value,
    (await field('Valor (R$)')).value,
  ];
  const user = open(form, { answers });
  await user.selectOptions(await field('Plano'), 'outro');
  await user.type(await field('Descrição'), 'Avaliação física');
  await user.type(await field('Valor (R$)'), '120');
  open(form, { answers, again: true });
  await screen.findByText('Recuperamos o que você tinha digitado.');
  expect(await values()).toEqual(['outro', 'Avaliação física', expect.stringMatching(/^120/)]);
  await user.click(await button('Descartar'));
  expect((await values())[1]).toBe('');
});

it('the draft of a provider holds its addresses and none of its secrets', async () => {
  const user = open(page(), {
    answers: {
      'GET /settings/pix': { conta: account },
      'GET /settings/pix/provider': { conexao: null },
      'GET /charge-terms': noTerms,
    },
  });
  await user.click(await button('Conectar provedor'));
  await user.type(await field('Endereço da API Pix'), 'https://api.exemplo.com.br');
  await user.type(await field('Client ID'), 'rende-1');
  await user.type(await field('Client Secret'), 'segredo');
  for (const label of [/^Certificado do cliente/, /^Chave privada/])
    await user.type(screen.getByLabelText(label), 'pem-secreto');
  expect(drafts()).toContain('https://api.exemplo.com.br');
  expect(drafts()).toContain('rende-1');
  expect(drafts()).not.toContain('segredo');
  expect(drafts()).not.toContain('pem-secreto');
});

it('a fine beyond the law is refused, and percentages are sent as hundredths', async () => {
  const sent: unknown[] = [];
  const user = open(page(), {
    answers: {
      'GET /settings/pix': { conta: null },
      'GET /charge-terms': noTerms,
      'PUT /charge-terms': (body: unknown) => {
        sent.push(body);
        return { id: 'studio' };
      },
    },
  });
  const type = async (label: string, text: string) => {
    await user.clear(await field(label));
    await user.type(await field(label), text);
  };
  await type('Multa (%)', '2,5');
  await user.click(await button('Aplicar às cobranças novas'));
  await screen.findByText('A lei permite multa de até 2%');
  await type('Multa (%)', '2');
  await type('Juros ao mês (%)', '0,99');
  await user.selectOptions(await field('Desconto para quem paga antes'), 'Em reais');
  await user.click(await button('Aplicar às cobranças novas'));
  await screen.findByText('Informe o desconto');
  await type('Desconto (R$)', '10,00');
  await type('Até quantos dias antes', '5');
  await user.click(await button('Aplicar às cobranças novas'));
  expect((await said())[0]).toBe('Multa, juros e desconto salvos');
  expect(sent).toEqual([{ ...noTerms, multa: 200, juros: 99, desconto_valor: 1_000, desconto_dias: 5 }]);
});
