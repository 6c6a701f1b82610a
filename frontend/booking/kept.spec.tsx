import { beforeEach, expect, it, jest } from '@jest/globals';
import { greet, keep, ownAt } from './kept.js';

const send = jest.fn<typeof fetch>();
globalThis.fetch = send;
const NINE = '2026-11-03T12:00:00.000Z';
const TEN = '2026-11-03T13:00:00.000Z';
const pageOf = (start: string, coming = 'data-coming') =>
  new Response(
    `<main data-trainer="ana" data-start="${start}" data-zone="America/Sao_Paulo" ${coming}></main>`,
  );
const greeted = async () => {
  document.body.innerHTML = '<main data-trainer="ana"></main>';
  await greet(document.querySelector('main')!);
  return Array.from(document.querySelectorAll('.notice'), ({ textContent }) => textContent);
};

beforeEach(() => {
  localStorage.clear();
  keep({ slug: 'ana', token: 't', inicio: NINE });
});

it('greets with the time that the server knows, which is kept from then on', async () => {
  send.mockResolvedValueOnce(pageOf(TEN));
  expect(await greeted()).toEqual(['Você tem aula ter., 3 de nov., 10:00 Ver Esquecer neste aparelho']);
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/p/reserva/t');
  expect([ownAt('ana', NINE), ownAt('ana', TEN)?.token, ownAt('bia', TEN)]).toEqual([
    undefined,
    't',
    undefined,
  ]);
});

it('forgets on this device alone what is not of the person at it, also while its page is being asked for', async () => {
  keep({ slug: 'ana', token: 'u', inicio: TEN });
  send.mockResolvedValueOnce(pageOf(TEN)).mockResolvedValueOnce(pageOf(NINE));
  await greeted();
  let answer = (_: Response) => {};
  send.mockReset().mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  send.mockResolvedValueOnce(pageOf(NINE));
  const again = greet(document.querySelector('main')!);
  // The next class is the first line.
  const [first, later] = Array.from(document.querySelectorAll('button'));
  later!.click();
  expect(document.activeElement!.textContent).toBe(
    'A reserva não aparece mais neste aparelho. Ela continua valendo.',
  );
  answer(pageOf(TEN));
  await again;
  expect(first!.isConnected).toBe(false);
  expect(Array.from(document.querySelectorAll('.own'), ({ textContent }) => textContent)).toEqual([
    'Você tem aula ter., 3 de nov., 9:00 Ver Esquecer neste aparelho',
  ]);
  expect([ownAt('ana', NINE)?.token, ownAt('ana', TEN)]).toEqual(['t', undefined]);
  // Nothing but the pages of the bookings was asked for.
  expect(send.mock.calls.map(([address]) => address)).toEqual(['/p/reserva/u', '/p/reserva/t']);
});

it.each([
  ['past or cancelled', () => Promise.resolve(pageOf(NINE, '')), false],
  ['forgotten', () => Promise.resolve(new Response('', { status: 404 })), false],
  ['asked for too often', () => Promise.resolve(new Response('', { status: 429 })), true],
  ['asked for without a connection', () => Promise.reject(new TypeError('Failed to fetch')), true],
])('says nothing of a booking that is %s', async (_what, answer, isKept) => {
  send.mockImplementationOnce(answer);
  expect(await greeted()).toEqual([]);
  expect(ownAt('ana', NINE) !== undefined).toBe(isKept);
  // Only the link and the time are kept.
  if (isKept)
    expect(localStorage.getItem('rende.bookings')).toBe(
      JSON.stringify([{ slug: 'ana', token: 't', inicio: NINE }]),
    );
  else expect(localStorage).toHaveLength(0);
});
