import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HintBus } from '../../backend/platform/realtime/hint-bus.js';
import { ErrorTrap } from '../../backend/platform/ops/error-trap.js';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { OpsServer } from '../../backend/platform/ops/ops-server.js';
import { Readiness } from '../../backend/platform/ops/readiness.js';
import { configFor, startPlatform } from './platform.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { atEnd } from '../support/cleanup.js';
import { held } from './probe.js';
import { startProbe } from './probe-app.js';
import { Redis } from 'ioredis';

describe('a process', () => {
  let rende: TestProcess;

  beforeAll(async () => {
    rende = await startProcess({ env: { LOG_LEVEL: 'debug', HOST: '0.0.0.0' } });
  });

  it('with both roles is live and ready, and has metrics on a separate port', async () => {
    const { url, opsUrl } = rende;
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'ok' });
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as { checks: object };
    expect(ready).toMatchObject({ status: 'ok', checks: { database: 'ok' } });
    expect(await (await fetch(`${opsUrl}/health/ready`)).json()).toMatchObject({ status: 'ok' });

    await fetch(`${url}/api/v1/students/${randomUUID()}`);
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /rende_http_request_seconds_count\{method="GET",route="\/api\/v1\/students\/:id",status="401"\} 1/,
    );
    expect(metrics).toContain('rende_projection_lag_seconds ');
    expect(metrics).toContain('process_cpu_seconds_total');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('writes one line for each answer, with patterns and ids and without any typed text', async () => {
    const email = `maria.${randomUUID()}@exemplo.com`;
    const requestId = randomUUID();
    const id = randomUUID();
    await fetch(`${rende.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'senha-muito-secreta' }),
    });
    await fetch(`${rende.url}/api/v1/students/${id}?q=Maria`, {
      headers: {
        'X-Request-Id': requestId,
        Authorization: 'Bearer abc.def.ghi',
        'X-Forwarded-For': '203.0.113.77',
      },
    });
    await eventually(() => Promise.resolve(rende.output().includes(requestId)), true);
    const lines = rende
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'answered',
        requestId,
        method: 'GET',
        route: '/api/v1/students/:id',
        status: 401,
        address: '203.0.113.0',
        ms: expect.any(Number),
      }),
    );
    expect(rende.output()).not.toMatch(
      new RegExp(`${email}|maria|senha-muito|abc\\.def|${id}|203\\.0\\.113\\.77`, 'i'),
    );
  });

  it('shows metrics only to its own machine by default', async () => {
    const elsewhere = (port: number | string) =>
      fetch(`http://127.0.0.2:${port}/metrics`).then(
        ({ status }) => status,
        () => 'refused',
      );
    expect(await elsewhere(new URL(rende.opsUrl).port)).toBe('refused');
    const { app } = await startProbe({ METRICS_HOST: '0.0.0.0' });
    expect(await elsewhere(app.get(OpsServer).port)).toBe(200);
  });

  it('logs each kind of CSP report of browsers once, without the address of a page', async () => {
    const token = randomUUID();
    const of = (effectiveDirective: string, blockedURL: string) => ({
      type: 'csp-violation',
      age: 12,
      url: `${rende.url}/convite/${token}`,
      user_agent: 'Mozilla/5.0',
      body: {
        documentURL: `${rende.url}/convite/${token}`,
        referrer: `${rende.url}/auth?code=${token}`,
        effectiveDirective,
        blockedURL,
        sourceFile: `${rende.url}/convite/${token}`,
        sample: token,
        originalPolicy: "default-src 'none'",
        disposition: 'enforce',
      },
    });
    const send = async (body: unknown, type = 'application/reports+json') => {
      const headers = { 'Content-Type': type };
      const options = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${rende.url}/api/csp-reports`, options)).status;
    };
    const seen = [
      of('script-src-elem', `https://user:${token}@bad.example:8443/${token}/x.js?t=${token}`),
      of('script-src-elem', 'https://bad.example:8443/y.js'),
      of('connect-src', `chrome-extension://${token}/x`),
      of('style-src-attr', 'inline'),
      of(token, `${rende.url}/convite/${token}`),
      of('img-src', token),
    ];
    expect(await send(seen)).toBe(204);
    expect(await send(seen)).toBe(204);
    expect(await send([{ ...seen[0], type: 'crash' }])).toBe(400);
    expect(await send(seen, 'application/json')).toBe(415);
    expect(await send([of('img-src', `https://bad.example/${'x'.repeat(64 * 1024)}`)])).toBe(413);
    const more = [];
    for (let sent = 0; sent < 30; sent++) more.push(await send(seen.slice(3, 4)));
    expect(more).toContain(429);

    const metrics = await (await fetch(`${rende.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/rende_csp_violations_total\{directive="script-src-elem"\} 4\n/);
    expect(metrics).toMatch(/rende_csp_violations_total\{directive="unknown"\} 2\n/);
    expect(await rende.end('SIGTERM')).toBe(0);
    const written = [
      ...rende.output().matchAll(/"csp violation","directive":"([\w-]+)","blocked":"([^"]+)"/g),
    ];
    expect(written.map(([, directive, blocked]) => `${directive} ${blocked}`)).toEqual([
      'script-src-elem https://bad.example:8443',
      'connect-src chrome-extension:',
      'style-src-attr inline',
      `unknown ${rende.url}`,
      'img-src unknown',
    ]);
    expect(rende.output()).not.toContain(token);
  });

  it('that cannot start names in one line each what is missing', async () => {
    const start = startProcess({ env: { DATABASE_URL: '', RENDE_MASTER_KEY: 'curta', PORT: 'x' } });
    await expect(start).rejects.toThrow(
      /Configuração inválida:\n {2}PORT [^\n]+\n {2}DATABASE_URL não foi definida\n {2}RENDE_MASTER_KEY deve ter 32 bytes em base64\n$/,
    );
  });

  it('names its port if that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => server.close());
    const { port } = server.address() as AddressInfo;
    const start = startProcess({ env: { PORT: String(port), LOG_LEVEL: 'silent' } });
    await expect(start).rejects.toThrow(`A porta ${port} já está em uso`);
  });
});

describe('a stopping server', () => {
  it('is not ready, accepts nothing new, and answers running requests', async () => {
    const { app, origin } = await startProbe();
    let release = () => {};
    held.released = new Promise((resolve) => (release = resolve));
    const arrived = new Promise<void>((resolve) => (held.arrived = resolve));
    const begun = fetch(`${origin}/api/v1/probes/held`);
    await arrived;

    const closed = app.close();
    const refused = async () => {
      for (;;) await (await fetch(`${origin}/health/live`)).text();
    };
    await expect(refused()).rejects.toThrow();
    expect(await app.get(Readiness).look()).toMatchObject({ status: 'unavailable' });
    release();
    const answer = await begun;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
  });
});

it('a process that ends while it starts does not wait for ports that are not open yet', async () => {
  const hints = new HintBus(configFor(await testDatabase()), new ErrorTrap(new Metrics()));
  await hints.onApplicationShutdown();
});

describe('readiness', () => {
  it('names the first check that fails', async () => {
    const { app, origin } = await startProbe();
    let isWell = false;
    app
      .get(Readiness)
      .register('probe', () => (isWell ? Promise.resolve() : Promise.reject(new Error('down'))));
    const ill = await fetch(`${origin}/health/ready`);
    expect(ill.status).toBe(503);
    expect(await ill.json()).toMatchObject({
      status: 'unavailable',
      checks: { probe: 'unavailable', database: 'ok' },
    });
    isWell = true;
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
  });
});

it('nothing is kept for other processes while Redis is away', async () => {
  const database = await testDatabase();
  const app = await startPlatform(database);
  const commands = jest.spyOn(Redis.prototype, 'sendCommand');
  // No server listens at this address.
  const bus = new HintBus(configFor(database, { REDIS_URL: 'redis://127.0.0.1:1' }), app.get(ErrorTrap));
  atEnd(() => bus.onApplicationShutdown());
  const waiting = () => commands.mock.calls.filter(([{ name }]) => name === 'publish').length;

  const id = randomUUID();
  for (let n = 0; n < 100; n += 1) {
    bus.personChanged(id);
    bus.sessionEnded(id);
    bus.membershipEnded(id, id);
    bus.projected([{ tenantId: id, position: n, topics: new Set(['plans']), students: new Map() }]);
  }
  expect(waiting()).toBe(0);
  commands.mockRestore();
});
