import { beforeEach, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { STORAGE_KEY } from './auth-storage.js';
import { useCommand } from './command.js';
import { http } from './http.js';
import { reads } from './topics.js';

const kinds = [reads('goals', ['sessions']), 'sessions', 'plans'];

beforeEach(() => {
  const session = { access_token: 'token', expires_at: 4_000_000_000, user: { id: 'user' } };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
});

/** The kinds of queries that are stale after a write that is answered with these headers. */
async function staleAfter(
  headers: Record<string, string>,
  { answer, topics }: { answer?: object; topics?: readonly string[] } = {},
): Promise<string[]> {
  window.fetch = () => Promise.resolve(Response.json({ id: 'one' }, { headers }));
  const client = new QueryClient();
  for (const kind of kinds) client.setQueryData([kind], {});
  const { result } = renderHook(
    () =>
      useCommand({
        send: async (_: void, key) => {
          const sent = await http.post<object>('/sessions', key);
          return answer ?? sent;
        },
        ...(topics && { topics }),
      }),
    {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  await act(() => result.current.mutateAsync());
  return kinds.filter((kind) => client.getQueryState([kind])?.isInvalidated);
}

it('a write refreshes what follows the topics that the server names', async () => {
  expect(await staleAfter({ 'Rende-Topics': 'sessions history' })).toEqual(['goals', 'sessions']);
  expect(await staleAfter({ 'Rende-Topics': 'plans' }, { topics: ['sessions'] })).toEqual(['plans']);
});

it('a write whose answer names no topics refreshes its own ones, or everything', async () => {
  expect(await staleAfter({}, { topics: ['plans'] })).toEqual(['plans']);
  expect(await staleAfter({})).toEqual(kinds);
});

it('a write that waits in the outbox refreshes nothing', async () => {
  expect(await staleAfter({}, { answer: { queued: true } })).toEqual([]);
});
