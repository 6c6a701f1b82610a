import { afterEach, expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import type { Act } from '../../../../backend/modules/advisor/advisor.api.js';
import { STORAGE_KEY } from '../../lib/auth-storage.js';
import { type Toast, toasterMounted } from '../../ui/toast.js';
import { Chat } from './chat.js';
import { useConversation } from './use-conversation.js';

const toasts: Toast[] = [];
toasterMounted((toast) => toasts.push(toast));
localStorage.setItem(
  STORAGE_KEY,
  JSON.stringify({ access_token: 'token', expires_at: 4_000_000_000, user: { id: 'user' } }),
);
afterEach(() => {
  toasts.length = 0;
  sessionStorage.clear();
});

const encoder = new TextEncoder();
const stream = (body: ReadableStream<Uint8Array> | string) =>
  new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
const said = (content: string, fonte?: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content, fonte } }] })}\n\n`;
const END = 'data: [DONE]\n\n';
const page = (init: ResponseInit) =>
  new Response('<html></html>', { headers: { 'Content-Type': 'text/html' }, ...init });

function Window() {
  const conversation = useConversation();
  return (
    <>
      <button onClick={conversation.clear}>Limpar</button>
      <Chat conversation={conversation} hrefOf={(fonte) => fonte} />
    </>
  );
}

/** Renders the window, whose questions get this answer. */
function given(answer: (signal: AbortSignal, body: string) => Promise<Response>) {
  window.fetch = (address, init) =>
    (address as string).includes('/financial-advisor')
      ? answer(init!.signal!, init!.body as string)
      : Promise.resolve(Response.json({ envio: 'sem_nomes', servidor: null }));
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <Window />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return userEvent.setup();
}

const field = () => screen.getByLabelText<HTMLInputElement>('Sua pergunta');
const bubbles = () => screen.queryAllByText(/^(Você|Consultor):$/);
const CUT = 'A resposta foi interrompida. Tente de novo.';

it.each<[string, () => Promise<Response>, string]>([
  [
    'refuses',
    () => Promise.resolve(Response.json({ error: 'A resposta demorou demais' }, { status: 503 })),
    'A resposta demorou demais',
  ],
  ['answers with a page', () => Promise.resolve(page({})), CUT],
  [
    'fails with a page',
    () => Promise.resolve(page({ status: 502, statusText: 'Bad Gateway' })),
    'Erro 502: Bad Gateway',
  ],
  ['stops in the middle', () => Promise.resolve(stream(said('Você recebeu '))), CUT],
  ['sends what is no answer', () => Promise.resolve(stream('data: <html>\n\n')), CUT],
  [
    'cannot be reached',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'Sem conexão com o servidor. Verifique a internet e tente de novo.',
  ],
])(
  'shows one line where the server %s, and puts the question back into its field',
  async (_, answer, line) => {
    const user = given(answer);
    await user.type(field(), 'quanto recebi?{Enter}');
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(toasts[0]).toMatchObject({ kind: 'error', title: 'Erro no chat', description: line });
    expect(field().value).toBe('quanto recebi?');
    expect(bubbles()).toEqual([]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(false);
  },
);

it('a question that is stopped before its answer returns to the field, without an error', async () => {
  let signal: AbortSignal | undefined;
  const user = given((given) => {
    signal = given;
    return new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason as Error)));
  });
  await user.type(field(), 'quanto recebi?{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Parar' }));
  await screen.findByRole('button', { name: 'Enviar' });
  expect([signal!.aborted, field().value, toasts]).toEqual([true, 'quanto recebi?', []]);
});

it('a conversation that is cleared during an answer does not come back', async () => {
  let asked = 0;
  const user = given((signal) => {
    asked += 1;
    if (asked !== 2) return Promise.resolve(stream(said(`Resposta ${asked}`) + END));
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  await user.type(field(), 'quanto recebi?{Enter}');
  await screen.findByRole('button', { name: 'Copiar' });
  await user.type(field(), 'quem deve?{Enter}');
  await screen.findByRole('button', { name: 'Parar' });
  await user.click(screen.getByRole('button', { name: 'Limpar' }));
  await screen.findByRole('button', { name: 'Enviar' });
  expect(bubbles()).toEqual([]);
  await user.type(field(), 'e a meta?{Enter}');
  await screen.findByRole('button', { name: 'Copiar' });
  expect(bubbles()).toHaveLength(2);
  expect(toasts).toEqual([]);
});

it.each([
  ['an answer', () => stream(said('Você recebeu ') + said('R$ 10,00', '/financeiro') + END)],
  ['a refusal', () => Response.json({ error: 'Demorou demais' }, { status: 503 })],
])('a card that is done while a later answer is awaited stays done after %s', async (_, last) => {
  const ato: Act = {
    tipo: 'cobranca',
    aluno: 'Ana',
    corpo: {
      student_id: '8a4c9f2e-3b1d-4e5f-9a6b-7c8d9e0f1a2b',
      descricao: 'Mensalidade',
      valor: 20_000,
      vencimento: '2026-11-23',
    },
  };
  const offer = `data: ${JSON.stringify({ choices: [{ delta: { ato } }] })}\n\n`;
  let reply!: (response: Response) => void;
  let asked = 0;
  const user = given(() => {
    asked += 1;
    if (asked === 1) return Promise.resolve(stream(said('Emitir esta cobrança?') + offer + END));
    return new Promise((resolve) => (reply = resolve));
  });
  await user.type(field(), 'cobrar 200 da Ana{Enter}');
  const emit = await screen.findByRole('button', { name: 'Emitir cobrança' });
  await screen.findByRole('button', { name: 'Enviar' });
  await user.type(field(), 'quanto recebi?{Enter}');
  await user.click(emit);
  await screen.findByText('Cobrança emitida');
  reply(last());
  await screen.findByRole('button', { name: 'Enviar' });
  expect([screen.queryByText('Cobrança emitida'), screen.queryByText('Emitir cobrança')]).toEqual([
    expect.anything(),
    null,
  ]);
});

it.each<[string, object, string[]]>([
  ['offers to tell the student', { status: 'agendada' }, ['Avisar Ana']],
  ['that was cancelled since offers nothing', { status: 'cancelada' }, []],
])('a session that a card booked %s', async (_, more, offered) => {
  const inicio = new Date(Date.now() + 86_400_000).toISOString();
  const corpo = { student_id: 'ana', inicio, fim: inicio, location_id: null };
  const ato: Act = { tipo: 'sessao', aluno: 'Ana Souza', local: null, corpo };
  const answers: Record<string, object> = {
    '/sessions': { id: 's' },
    '/sessions/s': { id: 's', student_id: 'ana', inicio, location_nome: 'Parque', ...more },
    '/students/ana': { id: 'ana', nome: 'Ana Souza', whatsapp: '+5511987654321', telefone: null },
    '/sessions/undo-bookings': { session_ids: ['s'] },
    '/sessions/undo-bookings/preview?session_ids=s': { efeitos: ['tira da agenda 1 sessão de Ana'] },
  };
  const offer = `data: ${JSON.stringify({ choices: [{ delta: { ato } }] })}\n\n`;
  const user = given(() => Promise.resolve(stream(offer + END)));
  const others = window.fetch.bind(window);
  window.fetch = (address, init) => {
    const known = Object.entries(answers).find(([path]) => (address as string).endsWith(path));
    return known ? Promise.resolve(Response.json(known[1])) : others(address, init);
  };
  await user.type(field(), 'agendar Ana amanhã{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Agendar sessão' }));
  await screen.findByText('Sessão agendada');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Avisar' })).toBeNull());
  const links = screen.queryAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(offered);
  for (const link of links)
    expect(decodeURIComponent(link.getAttribute('href')!)).toMatch(/Agendei sua aula: amanhã, .*Parque/);
  await user.click(screen.getByRole('button', { name: 'Desfazer agendamento' }));
  await screen.findByText('Tira da agenda 1 sessão de Ana');
  await user.click(screen.getAllByRole('button', { name: 'Desfazer agendamento' }).at(-1)!);
  await screen.findByText('Agendamento desfeito');
  expect(screen.queryAllByRole('link')).toEqual([]);
});

it('a screen reader gets an answer once, when it is complete', async () => {
  let more!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (more = controller) });
  const user = given(() => Promise.resolve(stream(body)));
  await user.type(field(), 'quanto recebi?{Enter}');
  more.enqueue(encoder.encode(said('Você recebeu ') + said('R$ 10,00', '/financeiro')));
  // No line ends between the sign and its amount.
  const figure = await screen.findByRole('link', { name: 'R$ 10,00' });
  expect([figure.getAttribute('href'), screen.getByRole('status').textContent]).toEqual(['/financeiro', '']);
  more.enqueue(encoder.encode(said('.') + END));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Você recebeu R$ 10,00.'));
  expect(toasts).toEqual([]);
});

it('Enter sends the question, and Shift+Enter begins another line', async () => {
  let sent: string | undefined;
  const user = given((_, body) => {
    sent = body;
    return Promise.resolve(stream(said('R$ 10,00', '/financeiro') + END));
  });
  await user.type(field(), 'quanto recebi{Shift>}{Enter}{/Shift}em maio?');
  expect(sent).toBeUndefined();
  await user.type(field(), '{Enter}');
  await screen.findByRole('button', { name: 'Copiar' });
  expect(JSON.parse(sent!)).toMatchObject({ messages: [{ content: 'quanto recebi\nem maio?' }] });
});
