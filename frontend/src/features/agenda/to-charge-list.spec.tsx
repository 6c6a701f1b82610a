import { expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { button, offered, open, Refusal, said, takeBack } from '../../../spec/screen.js';
import ToChargeList from './to-charge-list.js';

const [ana, bia] = ['7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11', '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12'];
const session = (id: string, student_id: string, a_cobrar: number | null) => ({
  id,
  student_id,
  student_nome: student_id === ana ? 'Ana Prado' : 'Bia Lima',
  a_cobrar,
  valor: a_cobrar,
  inicio: '2026-11-20T10:00:00.000Z',
  sem_credito: true,
  taxa: 0,
});
const items = [
  session('one', ana, 8_000),
  session('lone', bia, 9_000),
  session('two', ana, 8_000),
  session('unknown', ana, null),
  session('three', ana, 8_000),
];
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

/** What is sent once they are charged. */
const toSend = {
  'GET /charges/a': {
    descricao: 'Sessão de 20/11/2026',
    falta: 8_000,
    link: 'https://r.example/pagar/a',
  },
  'GET /charges/b': { descricao: null, falta: 8_000, link: 'https://r.example/pagar/b' },
  [`GET /students/${ana}`]: { nome: 'Ana Prado', whatsapp: '+5511943214321', telefone: null },
};

it('charges several sessions of a student with one request for the chosen ones', async () => {
  const sent: unknown[] = [];
  const user = open(<ToChargeList />, {
    answers: {
      'GET /sessions/to-charge': { items, next: null },
      'POST /charges/sessions': (body: unknown) => sent.push(body) && { ids: ['a', 'b'] },
      ...toSend,
    },
  });
  const own = within(await screen.findByRole('region', { name: 'Ana Prado' }));
  const boxes = own.getAllByRole('checkbox');
  expect(boxes).toHaveLength(3);
  own.getByRole('button', { name: /^Cobrar R\$\s240,00 \(3 sessões\)$/ });
  await user.click(boxes[1]!);
  await user.click(own.getByRole('button', { name: /^Cobrar R\$\s160,00 \(2 sessões\)$/ }));
  const { links: sending } = await offered();
  expect(sent).toEqual([{ student_id: ana, session_ids: ['one', 'three'], total: 16_000 }]);
  expect(sending).toHaveLength(1);
  expect(plain(sending[0])).toBe(
    'Enviar: https://wa.me/5511943214321?text=Oi, Ana! Seguem as cobranças. Para pagar:\n' +
      'Sessão de 20/11/2026, R$ 80,00: https://r.example/pagar/a\nCobrança, R$ 80,00: https://r.example/pagar/b',
  );
  // The only one of a student can be charged by the form too, one without an amount only there.
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    expect.stringContaining(`aluno=${bia}&sessao=lone&valor=9000`),
    expect.stringMatching(/sessao=unknown&texto=/),
  ]);
});

it('charges the only session of a student with one tap', async () => {
  const sent: unknown[] = [];
  const user = open(<ToChargeList />, {
    answers: {
      'GET /sessions/to-charge': { items, next: null },
      'POST /charges/sessions': (body: unknown) => sent.push(body) && { ids: ['a'] },
      ...toSend,
      [`GET /students/${bia}`]: { nome: 'Bia Lima', whatsapp: '+5511943214322', telefone: null },
    },
  });
  await user.click(await button(/^Cobrar R\$\s90,00$/));
  expect((await offered()).links.map(plain)).toEqual([
    'Enviar: https://wa.me/5511943214322?text=Oi, Bia! Segue a cobrança. Para pagar:\n' +
      'Sessão de 20/11/2026, R$ 80,00: https://r.example/pagar/a',
  ]);
  expect(sent).toEqual([{ student_id: bia, session_ids: ['lone'], total: 9_000 }]);
});

it('charges of several sessions are cancelled by undoing', async () => {
  const cancelled: unknown[] = [];
  const user = open(<ToChargeList />, {
    answers: {
      'GET /sessions/to-charge': { items, next: null },
      'POST /charges/sessions': { ids: ['a', 'b'] },
      ...toSend,
      'POST /charges/cancel': (body: unknown) => cancelled.push(body) && body,
    },
  });
  await user.click(await button(/3 sessões/));
  expect(await takeBack()).toBe('2 cobranças criadas');
  expect(await said()).toEqual(['Cobranças canceladas']);
  expect(cancelled).toEqual([{ ids: ['a', 'b'] }]);
});

it('charges nothing without a choice, and says why a charge was refused', async () => {
  const detail = 'Uma destas sessões já foi cobrada. Nada foi cobrado agora.';
  const user = open(<ToChargeList />, {
    answers: {
      'GET /sessions/to-charge': { items: items.slice(0, 3), next: null },
      'POST /charges/sessions': new Refusal(409, { code: 'charges.session_charged', title: 'x', detail }),
    },
  });
  await user.click(await button(/2 sessões/));
  expect(await said()).toEqual(['Erro ao gerar as cobranças', detail]);
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  const none = await button('Escolha as sessões');
  await waitFor(() => expect(none.hasAttribute('disabled')).toBe(true));
});
