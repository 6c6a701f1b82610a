import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, addHours } from 'date-fns';
import { expect, it } from '@jest/globals';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess } from '../support/process.js';

const CALLERS = 10_000;
/** Waiting for the ten thousand callers would take seconds; delays by the machine stay below this limit. */
const OTHERS_MS = 250;
/** The other trainer sends requests like a person in a hurry, without loading the machine as well. */
const OTHERS_EVERY_MS = 20;

interface Answered {
  status: number;
  code: string | undefined;
}

/** One booking on its own connection; retried after Retry-After while the server is busy. */
async function book(url: string, trainer: Trainer, agent: Agent, body: string): Promise<Answered> {
  const key = randomUUID();
  for (;;) {
    const answered = await bookOnce(url, trainer, agent, body, key);
    if (answered.status !== 503) return answered;
    await delay(answered.retryAfter * 1000);
  }
}

function bookOnce(
  url: string,
  { accessToken, tenantId }: Trainer,
  agent: Agent,
  body: string,
  key: string,
): Promise<Answered & { retryAfter: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/sessions`, {
      method: 'POST',
      agent,
      headers: {
        Authorization: `Bearer ${accessToken}`,
        'Rende-Tenant': tenantId,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'Idempotency-Key': key,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          code: (JSON.parse(text) as { code?: string }).code,
          retryAfter: Number(response.headers['retry-after']),
        }),
      );
    });
    sent.end(body);
  });
}

/** The process's histogram of the seconds of commands' database work: number of observations up to each bound. */
async function databaseWork(opsUrl: string): Promise<{ atMost: Map<number, number>; count: number }> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const atMost = new Map<number, number>();
  let count = 0;
  for (const [, labels, value] of text.matchAll(/^rende_command_database_seconds_bucket\{(.*)\} (\d+)$/gm)) {
    const bound = /le="([^"]+)"/.exec(labels!)![1]!;
    if (bound === '+Inf') count += Number(value);
    else atMost.set(Number(bound), (atMost.get(Number(bound)) ?? 0) + Number(value));
  }
  return { atMost, count };
}

it('10,000 concurrent bookings of one slot: one succeeds, the others get a clean 409, and nobody else waits', async () => {
  const database = await testDatabase();
  const [busy, calm] = await Promise.all([startProcess({ roles: 'api' }), startProcess({ roles: 'api' })]);
  const [trainer, other] = [await signUp(busy), await signUp(calm)];
  const { body: student } = await trainer.api.post('/students', { nome: 'Ana', telefone: '(11) 98765-4321' });
  const inicio = addHours(addDays(new Date(), 2), 1);
  const body = JSON.stringify({
    student_id: student.id,
    inicio: inicio.toISOString(),
    fim: addHours(inicio, 1).toISOString(),
  });

  const agent = new Agent({ keepAlive: false, maxSockets: CALLERS });
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await other.api.post('/plans', { nome: 'Plano', valor: 100, creditos: 1 });
      await delay(OTHERS_EVERY_MS);
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () => book(busy.url, trainer, agent, body)),
  );
  isOver = true;
  await others;

  const outcomes = new Map<string, number>();
  for (const { status, code } of answers) {
    const outcome = `${status} ${code ?? ''}`.trim();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect(Object.fromEntries(outcomes)).toEqual({ '201': 1, '409 agenda.overlap': CALLERS - 1 });
  const [deadlocks] = await database.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(deadlocks!.deadlocks).toBe(0);

  const { atMost, count } = await databaseWork(calm.opsUrl);
  expect(count).toBeGreaterThan(100);
  expect(atMost.get(OTHERS_MS / 1000)! / count).toBeGreaterThanOrEqual(0.99);
});
