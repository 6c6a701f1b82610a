import { expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { startApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { connectSocket } from '../support/socket.js';
import { get, signIn, signUp } from './people.js';

const open = (url: string, accessToken: string) => connectSocket({ url }, { accessToken });
const closed = (socket: Socket) => new Promise<string>((resolve) => socket.once('disconnect', resolve));

it("three processes that start at once create one key, and accept each other's tokens", async () => {
  const database = await createDatabase();
  const apps = await Promise.all([1, 2, 3].map(() => startApp({ database })));

  const { session } = await signUp(apps[0]!.url);

  expect(await database.query('select from auth.signing_keys')).toHaveLength(1);
  for (const { url } of apps) expect((await get(`${url}/api/v1/me`, session.access_token)).status).toBe(200);
});

it('ending a session closes its sockets in every process', async () => {
  const database = await createDatabase();
  const [one, two] = await Promise.all([1, 2].map(() => startApp({ database })));
  const { person, client, session } = await signUp(one!.url);
  const { data } = await signIn(one!.url, person);
  const [here, there, other] = await Promise.all([
    open(one!.url, session.access_token),
    open(two!.url, session.access_token),
    open(two!.url, data.session!.access_token),
  ]);
  const ended = Promise.all([closed(here), closed(there)]);

  await client.signOut({ scope: 'local' });

  expect(await ended).toEqual(['io server disconnect', 'io server disconnect']);
  expect(other.connected).toBe(true);
  await expect(open(one!.url, session.access_token)).rejects.toThrow('unauthenticated');
});
