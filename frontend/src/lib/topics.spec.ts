import { expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
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

it('a refresh ends when what was opened meanwhile is read too', async () => {
  client.clear();
  const answers: (() => void)[] = [];
  const opened = (id: string) => {
    const queryFn = () => new Promise((resolve) => answers.push(() => resolve({})));
    return new QueryObserver(client, { queryKey: ['plans', id], queryFn }).subscribe(() => undefined);
  };
  const [settled, answer] = [() => new Promise(setImmediate), () => answers.shift()!()];
  const leave = [opened('list')];
  answer();
  await settled();
  let isOver = false;
  const refreshed = refresh(client, ['plans']).then(() => (isOver = true));
  leave.push(opened('one'));
  await settled();
  answer();
  await settled();
  expect(isOver).toBe(false);
  answer();
  await refreshed;
  for (const close of leave) close();
});
