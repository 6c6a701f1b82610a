import { beforeAll, expect, it } from '@jest/globals';
import type { SignIns } from '../../backend/modules/accounts/account.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { signUp as signUpTrainer } from '../support/people.js';
import { connectSocket } from '../support/socket.js';
import { anyAddress, signIn, signUp } from './people.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const speaker = (accessToken: string) =>
  new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
const listOf = async (api: Client) => (await api.get<SignIns>('/account/sessions')).body.items;

it('a person sees on which devices they are signed in, and ends one of them at once', async () => {
  const { person, session } = await signUp(app.url);
  const phone = await signIn(app.url, person);
  const [here, there] = [speaker(session.access_token), phone.data.session!.access_token];
  const socket = await connectSocket(app, { accessToken: there });
  const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));

  const before = await listOf(here);
  expect(before.map(({ atual, ativa }) => [atual, ativa])).toEqual([
    [false, true],
    [true, true],
  ]);
  await here.delete(`/account/sessions/${before[0]!.id}`);

  expect(await disconnected).toBe('io server disconnect');
  expect((await speaker(there).request('GET', '/api/v1/me')).status).toBe(401);
  expect((await listOf(here)).map(({ atual, ativa, encerrada_em }) => [atual, ativa, encerrada_em])).toEqual([
    [true, true, null],
    [false, false, expect.any(String)],
  ]);
});

it("nobody ends somebody else's session, nor one that is over", async () => {
  const { session } = await signUp(app.url);
  const mine = speaker(session.access_token);
  const [own] = await listOf(mine);
  const { api } = await signUpTrainer(app);

  expect((await api.request('DELETE', `/api/v1/account/sessions/${own!.id}`)).status).toBe(404);
  expect((await listOf(mine))[0]!.ativa).toBe(true);
});
