import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { ChargeDetail as Detail } from '../../../../backend/modules/charges/charges.api.js';
import { button, open, said } from '../../../spec/screen.js';
import { ChargeDetail } from './charge-detail.js';

const payment = {
  id: 'p',
  transaction_id: 't',
  valor: 60_000,
  data: '2020-11-12',
  metodo_pagamento: 'pix',
  estornado: false,
  devolvido: 0,
};
/** Of the payment: not issued yet, with all that is asked known. */
const receipts = {
  'GET /transactions/t/receipt': {
    recibo: null,
    partes: [],
    sugestao: {
      payer_id: null,
      nome: 'Ana',
      cpf: '52998224725',
      descricao: 'Pacote',
      de: '2020-11-01',
      ate: '2020-11-30',
    },
  },
  'GET /settings/receipts': { emitente: null, nome: 'Bruna', cpf: null },
};
const today = (total: number) => ({ multa: 0, juros: 0, desconto: 0, total });

it.each<[string, object, string]>([
  ['stands', {}, 'Pix'],
  ['was undone', { estornado: true }, 'Pix · desfeito'],
  ['was refunded in part', { valor: 15_000, devolvido: 45_000 }, 'Pix · devolvidos R$ 450,00'],
  ['was refunded', { valor: 0, devolvido: 60_000, estornado: true }, 'Pix · devolvidos R$ 600,00'],
  [
    'was refunded in part and then undone',
    { valor: 15_000, devolvido: 45_000, estornado: true },
    'Pix · devolvidos R$ 450,00 · desfeito',
  ],
  [
    'had a fine and interest',
    { multa: 1_200, juros: 600, desconto: 0, dispensado: 0 },
    'Pix · multa R$ 12,00 · juros R$ 6,00',
  ],
])('a payment that %s is listed as what it is', async (_, more, words) => {
  const charge = {
    id: 'c',
    student_id: 's',
    student_nome: 'Ana',
    situacao: 'paga',
    valor: 60_000,
    pago: 60_000,
    falta: 0,
    creditos: 0,
    vencimento: '2020-11-12',
    descricao: 'Pacote',
    link: null,
    pix: null,
    pagamentos: [{ ...payment, ...more }],
    hoje: today(0),
  };
  open(<ChargeDetail charge={charge as unknown as Detail} />, { answers: receipts });
  const line = await screen.findByText(/ · Pix/);
  expect(line.textContent?.replaceAll('\u00a0', ' ')).toMatch(
    new RegExp(`· ${words.replaceAll('$', '\\$')}$`),
  );
});

const LINK = 'https://rende/pagar/1';
const SEND = 'https://wa.me/5511987654321?text=Oi';

/** Of the buttons, and of what opens WhatsApp. */
const names = async () => {
  await screen.findAllByRole('button');
  const shown = document.querySelectorAll('button, a[href^="https://wa.me/"]');
  return [...shown].map((one) => one.getAttribute('aria-label') ?? one.textContent);
};

it.each<[string, object, string[]]>([
  [
    'open',
    { situacao: 'aberta', falta: 60_000, link: 'https://rende/pagar/1', pix: '000201' },
    ['Copiar link', 'Copiar Pix', 'Anotar promessa', 'Por quê?', 'Mudar', 'Mais opções', 'Marcar como paga'],
  ],
  [
    'open and was sent',
    { situacao: 'aberta', falta: 60_000, link: LINK, whatsapp: SEND, enviada: true },
    ['WhatsApp', 'Copiar link', 'Anotar promessa', 'Por quê?', 'Mudar', 'Mais opções', 'Marcar como paga'],
  ],
  [
    'open and was not sent',
    { situacao: 'aberta', falta: 60_000, link: LINK, whatsapp: SEND, enviada: false },
    ['Já foi paga', 'Copiar link', 'Anotar promessa', 'Por quê?', 'Mais opções', 'Enviar no WhatsApp'],
  ],
  [
    'overdue',
    { situacao: 'vencida', falta: 60_000, link: LINK, whatsapp: SEND, enviada: false },
    ['WhatsApp', 'Copiar link', 'Anotar promessa', 'Por quê?', 'Mudar', 'Mais opções', 'Marcar como paga'],
  ],
  [
    'paid',
    { situacao: 'paga', pago: 60_000, pagamentos: [payment] },
    ['Desfazer pagamento', 'Devolver ao aluno', 'Por quê?', 'Mais opções', 'Emitir recibo'],
  ],
  [
    'cancelled',
    { situacao: 'cancelada', falta: 60_000 },
    ['Por quê?', 'Mais opções', 'Desfazer o cancelamento'],
  ],
])('a charge that is %s has one main button', async (_, more, buttons) => {
  const charge = {
    id: 'c',
    student_id: 's',
    student_nome: 'Ana',
    valor: 60_000,
    pago: 0,
    falta: 0,
    creditos: 0,
    vencimento: '2020-11-12',
    descricao: 'Pacote',
    plano_nome: null,
    grant_id: null,
    link: null,
    pagamentos: [],
    hoje: today((more as { falta?: number }).falta ?? 0),
    ...more,
  };
  open(<ChargeDetail charge={charge as unknown as Detail} />, { answers: receipts });
  await waitFor(async () => expect(await names()).toEqual(buttons));
});

it('records the whole payment by the usual method in one tap, with fine and interest or without', async () => {
  const charge = {
    id: 'c',
    student_id: 's',
    student_nome: 'Ana',
    situacao: 'aberta',
    valor: 60_000,
    pago: 0,
    falta: 60_000,
    creditos: 10,
    vencimento: '2020-11-12',
    descricao: 'Pacote',
    pagamentos: [],
    hoje: { multa: 1_200, juros: 600, desconto: 0, total: 61_800 },
    pedido: 61_800,
  };
  const sent: unknown[] = [];
  const user = open(<ChargeDetail charge={charge as unknown as Detail} />, {
    answers: {
      'POST /charges/c/payments': (body: unknown) => {
        sent.push(body);
        return { id: 'c', payment_id: 'p', quitada: true, creditos: 10 };
      },
    },
  });
  await user.click(await button('Marcar como paga'));
  expect((await said())[0]).toBe('Cobrança paga');
  await user.click(await button('Receber R$\u00a0600,00, sem multa e juros'));
  expect(sent).toMatchObject([
    { valor: 61_800, metodo_pagamento: 'pix' },
    { valor: 60_000, metodo_pagamento: 'pix' },
  ]);
});
