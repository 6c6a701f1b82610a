import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { NOTHING, open } from '../../../spec/screen.js';
import { SessionCharge } from './session-charge.js';

const charge = { id: 'c', origem: 'taxa', valor: 3_750, pago: 0, falta: 3_750, situacao: 'aberta' };
const cancelled = { ...charge, id: 'former', situacao: 'cancelada', falta: 0 };

it('a session that is owed and not charged leads to the sessions to charge', async () => {
  const items = [cancelled];
  open(<SessionCharge session={{ id: 's', taxa: 0 }} />, {
    answers: { 'GET /charges': { ...NOTHING, items } },
  });
  await screen.findByText('Ainda não cobrada.');
  expect(screen.getByRole('link', { name: 'Sessões a cobrar' }).getAttribute('href')).toBe('/?ver=a-cobrar');
});

it('a fee whose charge was cancelled is not offered again', async () => {
  const items = [cancelled];
  open(<SessionCharge session={{ id: 's', taxa: 3_750 }} />, {
    answers: { 'GET /charges': { ...NOTHING, items } },
  });
  await screen.findByText('A cobrança da taxa foi cancelada.');
  expect(screen.getByRole('link', { name: 'Ver a cobrança' }).getAttribute('href')).toContain(
    'cobranca=former',
  );
});

it.each<[string, object, RegExp]>([
  [
    'is cancelled with it',
    {},
    /^Se você reabrir, excluir .* a cobrança em aberto de R\$ 37,50 será cancelada\.$/,
  ],
  [
    'stays once paid',
    { pago: 3_750, falta: 0, situacao: 'paga' },
    /^A taxa de R\$ 37,50 já foi paga\. .*devolva/,
  ],
  ['stays once paid in part', { pago: 1_000, falta: 2_750 }, /já foi paga em parte\. .*desfaça o pagamento/],
])('the charge of a session that is reopened %s, as is said before', async (_, more, words) => {
  const items = [cancelled, { ...charge, ...more }];
  open(<SessionCharge session={{ id: 's', taxa: 3_750 }} />, {
    answers: { 'GET /charges': { ...NOTHING, items } },
  });
  expect((await screen.findByText(/reabrir/)).textContent?.replaceAll('\u00a0', ' ')).toMatch(words);
  expect(screen.getByRole('link').getAttribute('href')).toContain('cobranca=c');
});
