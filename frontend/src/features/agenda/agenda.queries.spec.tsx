import { expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { listed } from './agenda.queries.js';
import { SESSIONS } from './session-reads.js';

it('a session of a list is read again where a change of it is known since', async () => {
  const client = new QueryClient();
  client.setQueryData([SESSIONS, 'range', 'from', 'to'], [{ id: 'a' }], { updatedAt: 1000 });
  const known = () => listed(client, ({ id }) => id === 'a');
  expect(known()).toEqual({ sessions: [{ id: 'a' }], at: 1000 });
  await client.invalidateQueries();
  expect(known()).toEqual({ sessions: [{ id: 'a' }], at: 0 });
});
