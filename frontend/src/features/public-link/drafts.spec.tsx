import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { defaultSettings } from '../../../../backend/modules/public-link/public-link.api.js';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant' }),
}));
const { button, field, open, said } = await import('../../../spec/screen.js');
const { default: PublicLinkPage } = await import('./public-link-page.js');

const link = {
  ...defaultSettings,
  slug: 'bruna-dias',
  url: 'https://r.example/p/bruna-dias',
  tem_chave: false,
  automatico: false,
  ativo: false,
  salvo: false,
  horarios_definidos: true,
  antigos: [],
  bloqueados: [],
};
const RECOVERED = 'Recuperamos o que você tinha digitado.';

it('what was typed for address and settings is there after a reload, until each is discarded or saved', async () => {
  const sent: unknown[] = [];
  const answers = {
    'GET /account/profile': { telefone: '+5511981234599' },
    'GET /public-link': () => ({ ...link, ...(sent[0] as object) }),
    'PUT /public-link': (body: unknown) => (sent.push(body), { id: 'x' }),
  };
  const page = <PublicLinkPage />;
  const user = open(page, { answers });
  // Nothing was saved yet: the trainer's own number is proposed.
  expect((await field('WhatsApp (opcional)')).value).toBe('(11) 98123-4599');
  await user.type(await field('Apresentação (opcional)'), 'Treino no parque');
  await user.clear(await field('Endereço do link'));
  await user.type(await field('Endereço do link'), 'bruna-no-parque');
  open(page, { answers, again: true });
  expect((await field('Apresentação (opcional)')).value).toBe('Treino no parque');
  expect((await field('Endereço do link')).value).toBe('bruna-no-parque');
  expect(screen.getAllByText(RECOVERED)).toHaveLength(2);
  const [ofSettings, ofAddress] = screen.getAllByRole('button', { name: 'Descartar' });
  await user.click((ofAddress ?? ofSettings)!);
  expect((await field('Endereço do link')).value).toBe('bruna-dias');
  await user.click((await screen.findAllByRole('button', { name: 'Salvar' }))[0]!);
  expect((await said())[0]).toBe('Configurações salvas');
  open(page, { answers, again: true });
  expect((await field('Apresentação (opcional)')).value).toBe('Treino no parque');
  expect(screen.queryByText(RECOVERED)).toBeNull();
  await button('Salvar');
});
