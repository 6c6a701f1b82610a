import { expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import '../features/agenda/own-sessions.queries.js';
import '../features/charges/own-charges.queries.js';
import '../features/contracts/own-contracts.queries.js';
import '../features/credits/own-balance.queries.js';
import { refresh } from '../lib/topics.js';

const kinds = ['own-sessions', 'own-times', 'own-charges', 'contracts', 'credits'];

/** The student's reads that a hint of this topic makes stale. */
async function staleAfter(topic: string): Promise<string[]> {
  const client = new QueryClient();
  for (const kind of kinds) client.setQueryData([kind], {});
  await refresh(client, [topic]);
  return kinds.filter((kind) => client.getQueryState([kind])?.isInvalidated);
}

it.each([
  ['sessions', ['own-sessions', 'own-times', 'credits']],
  ['free-times', ['own-times']],
  ['session-requests', ['own-sessions']],
  ['reminders', ['own-sessions']],
  ['availability', ['own-sessions', 'own-times']],
  ['locations', ['own-sessions', 'own-times']],
  ['student-booking', ['own-times']],
  ['credits', ['own-times', 'credits']],
  ['charges', ['own-sessions', 'own-charges', 'credits']],
  ['policies', ['own-times']],
  ['settings', ['own-charges']],
  ['payers', ['own-charges']],
  ['contracts', ['contracts']],
])("a change of %s is read again on the student's open pages", async (topic, stale) => {
  expect(await staleAfter(topic)).toEqual(stale);
});
