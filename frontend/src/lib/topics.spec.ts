import { expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { reads, refresh } from './topics.js';

const client = new QueryClient();
const kinds = [reads('goals', ['sessions', 'plans']), reads('log', 'all'), 'plans'];

async function staleAfter(topic: string): Promise<string[]> {
  client.clear();
  for (const kind of kinds) client.setQueryData([kind, 'one'], {});
  await refresh(client, [topic]);
  return kinds.filter((kind) => client.getQueryState([kind, 'one'])?.isInvalidated);
}

it('a change invalidates the queries that follow its topic, and no others', async () => {
  expect(await staleAfter('sessions')).toEqual(['goals', 'log']);
  expect(await staleAfter('goals')).toEqual(['goals', 'log']);
  expect(await staleAfter('locations')).toEqual(['log']);
});

it('a query that is not declared follows the topic of its own name', async () => {
  expect(await staleAfter('plans')).toEqual(['goals', 'log', 'plans']);
});
