import { beforeAll, expect, it } from 'vitest';
import type { Socket } from 'socket.io-client';
import { startApp, type TestApp } from '../support/app.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { connectSocket } from '../support/socket.js';

let app: TestApp;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  app = await startApp();
});

const disconnection = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('disconnect', resolve));

it('a socket ends when its session does, 30 days after it began, and none comes after it', async () => {
  const trainer = await signUp(app);
  await database.query(
    "update auth.sessions set created_at = now() - interval '30 days' + interval '1 second' where user_id = $1",
    [trainer.userId],
  );
  const socket = await connectSocket(app, trainer);

  expect(await disconnection(socket)).toBe('io server disconnect');
  await expect(connectSocket(app, trainer)).rejects.toThrow('unauthenticated');
});
