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
  expect(await greeted()).toEqual(['Você tem aula ter., 3 de nov., 10:00 · Ver']);
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/p/reserva/t');
  expect([ownAt('ana', NINE), ownAt('ana', TEN)?.token, ownAt('bia', TEN)]).toEqual([
    ...[undefined, 't', undefined],
  ]);
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
