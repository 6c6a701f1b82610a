import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { sharedApp } from '../support/shared.js';

it('one Idempotency-Key, 200 times in parallel over two processes, has one effect and identical answers', async () => {
  const app = await sharedApp();
  const [trainer, other] = await Promise.all([signUp(app), startProcess({ roles: 'api' })]);
  const clients = [trainer.api, new Client(other.url, trainer)];
  const idempotencyKey = randomUUID();
  const body = { nome: 'Ana', telefone: '(11) 98765-4321' };

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      clients[n % 2]!.request('POST', '/api/v1/students', { body, idempotencyKey }),
    ),
  );
  const seen = new Set(
    answers.map(({ status, headers, body: said }) =>
      JSON.stringify([status, headers.get('Rende-Position'), said]),
    ),
  );
  expect([...seen]).toEqual([expect.stringMatching(/^\[201,/)]);
  const database = await testDatabase();
  const events = await database.query(
    "select from events where tenant_id = $1 and type = 'StudentRegistered'",
    [trainer.tenantId],
  );
  expect(events).toHaveLength(1);

  const reused = await clients[1]!.request<{ code: string }>('POST', '/api/v1/students', {
    body: { ...body, nome: 'Bia' },
    idempotencyKey,
  });
  expect([reused.status, reused.body.code]).toEqual([422, 'idempotency.key_reused']);
});
