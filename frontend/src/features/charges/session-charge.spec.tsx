import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { NOTHING, open } from '../../../spec/screen.js';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { SessionCharge, SessionDue } from './session-charge.js';

const charge = {
  id: 'c',
  origem: 'taxa',
  valor: 3_750,
  pago: 0,
  falta: 3_750,
  hoje: { multa: 0, juros: 0, desconto: 0, total: 3_750 },
  situacao: 'aberta',
  pagamentos: [] as object[],
};
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

it.each<[string, object, string]>([
  ['is received first', {}, 'Receber R$ 37,50 de Ana'],
  ['makes way for what others owe once paid', { pago: 3_750, falta: 0, situacao: 'paga' }, 'Cobrar de Bia'],
])('the charge of one student of an hour %s', async (_, more, words) => {
  const session = { id: 's', taxa: 0, inicio: '2026-11-02T10:00:00.000Z' } as Session;
  open(
    <SessionDue session={session} whose=" de Ana" others={<a href="/b">Cobrar de Bia</a>} otherwise={null} />,
    {
      answers: { 'GET /charges': { ...NOTHING, items: [{ ...charge, ...more }] } },
    },
  );
  expect((await screen.findByRole('link')).textContent?.replaceAll('\u00a0', ' ')).toBe(words);
});

it.each<[string, string | null | undefined, string]>([
  ['gets its receipt', undefined, 'Emitir recibo'],
  ['shows the receipt that it has', null, 'Ver recibo'],
  ['gets another one after the first was cancelled', '2026-11-05T10:00:00.000Z', 'Emitir recibo'],
])('a paid session %s', async (_, cancelado_em, words) => {
  const session = { id: 's', taxa: 0, inicio: '2026-11-02T10:00:00.000Z' } as Session;
  const pagamentos = [{ transaction_id: 't', estornado: false }];
  const paid = { ...charge, pago: 3_750, falta: 0, situacao: 'paga', pagamentos };
  open(<SessionDue session={session} whose="" others={null} otherwise={null} />, {
    answers: {
      'GET /charges': { ...NOTHING, items: [paid] },
      'GET /transactions/t/receipt': { recibo: cancelado_em === undefined ? null : { cancelado_em } },
    },
  });
  expect((await screen.findByRole('link')).textContent).toBe(words);
});
