import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, field, open } from '../../../spec/screen.js';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'bia', tenantId: 'studio' }),
}));

const { default: PixPage } = await import('./pix-page.js');

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
  const user = open(page(), { answers: { 'GET /settings/pix': { conta: null } } });
  await user.type(await field('Cidade'), 'Olinda');
  expect(drafts()).toContain('Olinda');
});

it('the draft of a provider holds its addresses and none of its secrets', async () => {
  const user = open(page(), {
    answers: { 'GET /settings/pix': { conta: account }, 'GET /settings/pix/provider': { conexao: null } },
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
