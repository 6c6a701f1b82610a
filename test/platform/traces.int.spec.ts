import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { otlp, type ReceivedSpan } from '../support/otlp.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';

/** Each span of the trace with the names of those that it is part of, the outermost first. */
function pathsOf(spans: readonly ReceivedSpan[], traceId: string): string[] {
  const own = spans.filter((span) => span.traceId === traceId);
  const pathOf = ({ name, parentSpanId }: ReceivedSpan): string => {
    const parent = own.find(({ spanId }) => spanId === parentSpanId);
    if (parentSpanId && !parent) return `? > ${name}`;
    return parent ? `${pathOf(parent)} > ${name}` : name;
  };
  return own.map(pathOf).sort();
}

const student = { nome: 'Ana Aluna', telefone: '(11) 98765-4321' };
const POST = 'POST /api/v1/students';
const TAP = [
  POST,
  `${POST} > command RegisterStudent`,
  `${POST} > command RegisterStudent > project`,
  `${POST} > command RegisterStudent > transaction`,
];

async function tap(redisUrl?: string): Promise<void> {
  const { spans, asked, env } = await otlp();
  const settings = { redisUrl, env: { ...env, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key' } };
  const api = await startProcess({ ...settings, roles: 'api' });
  await startProcess({ ...settings, roles: 'worker' });
  const trainer = await signUp(api);
  const key = randomBytes(16).toString('hex');
  const attempt = () =>
    trainer.api.request('POST', '/api/v1/students', { body: student, headers: { 'Idempotency-Key': key } });
  expect((await attempt()).status).toBe(201);
  const known = () => pathsOf(spans, key).filter((path) => TAP.includes(path));
  await eventually(() => Promise.resolve(known()), TAP);
  expect(asked[0]!.headers).toMatchObject({ 'x-key': 'a key' });

  await attempt();
  const attempts = () => pathsOf(spans, key).filter((path) => path === POST).length;
  await eventually(() => Promise.resolve(attempts()), 2);
}

it('a tap is one trace, from its request to its row, with all attempts', () => tap());

describeWithRedis('with Redis', () => {
  it('a tap is one trace as well', async () => tap((await redis()).url));
});

it('a request goes on with the trace of a proxy in front', async () => {
  const { spans, env } = await otlp();
  const app = await startProcess({ env });
  const [traceId, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  await fetch(`${app.url}/api/openapi.json`, { headers: { traceparent: `00-${traceId}-${parent}-01` } });
  await eventually(
    () => Promise.resolve(spans.find((span) => span.traceId === traceId)?.parentSpanId),
    parent,
  );
});

it('where nothing takes traces, the server works, says so, and ends in order', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LOG_LEVEL: 'warn',
  };
  const app = await startProcess({ env });
  const { api } = await signUp(app);
  expect((await api.post('/students', student)).status).toBe(201);
  await eventually(() => Promise.resolve(app.output().includes('"msg":"traces not sent"')), true);
  expect(await app.end('SIGTERM')).toBe(0);
});
