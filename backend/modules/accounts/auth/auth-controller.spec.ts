import { mock } from 'node:test';
import { firstValueFrom, NEVER } from 'rxjs';
import { afterEach, expect, it } from '@jest/globals';
import { AuthController, TimeLimit } from './auth-controller.js';

afterEach(() => mock.timers.reset());

it('a request is answered after ten seconds with an error that the auth client retries by itself', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const answer = firstValueFrom(new TimeLimit().intercept({} as never, { handle: () => NEVER }));
  const refused = expect(answer).rejects.toMatchObject({ status: 504, code: 'request_timeout' });
  mock.timers.tick(10_000);
  await refused;
});

it('every controller of /auth/v1 has the limit', () => {
  class Some {}
  AuthController()(Some);
  expect(Reflect.getMetadata('__interceptors__', Some)).toEqual([TimeLimit]);
});
