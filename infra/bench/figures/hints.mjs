import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { backendModule } from '../../start/database.mjs';
import { atRate, line, percentiles } from '../measure.mjs';
import { anyOf } from '../trainers.mjs';

const TRAINERS = 64;
const RATE = 100;

/**
 * Time from a command's `recorded_at` (just before its commit) until its hint arrives at another browser's socket, over the
 * public API. Both times come from the same machine's clock.
 */
export async function hints(stage, { quick }) {
  const lines = [];
  for (const { name, apart, environment } of await stage.setups(() => stage.filled())) {
    const trainers = await stage.trainers(environment, TRAINERS);
    const servers = [await stage.server(environment, apart ? 'api' : 'api,worker')];
    if (apart) servers.push(await stage.server(environment, 'worker'));
    const heard = new Map();
    const sockets = await Promise.all(
      trainers.map(({ tenantId, token }) => listen(servers[0].url, tenantId, token, heard)),
    );
    const rounds = [];
    for (let round = 0; round <= (quick ? 3 : 5); round += 1) {
      const recorded = await atRate(RATE, quick ? 2 : 5, () => use(servers[0].url, anyOf(trainers)));
      rounds.push(percentiles(await lateness(environment, recorded, heard)));
    }
    rounds.shift();
    for (const socket of sockets) socket.disconnect();
    for (const { close } of servers) await close();
    for (const share of ['p50', 'p99']) {
      lines.push(
        line(
          `${name}, ${RATE}/s, ${share}`,
          'ms',
          rounds.map((round) => round[share]),
        ),
      );
    }
  }
  return { title: `Do comando gravado até o aviso em outro navegador (${TRAINERS} personais)`, lines };
}

/** Opens a trainer's socket, which records when the hint of each position arrived. */
async function listen(url, tenantId, token, heard) {
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token } });
  socket.on('hint', ({ position }) => {
    const at = performance.timeOrigin + performance.now();
    if (!heard.has(`${tenantId}/${position}`)) heard.set(`${tenantId}/${position}`, at);
  });
  await once(socket, 'connect');
  return socket;
}

/** Adjusts a student's credits. Returns tenant and position of the recorded event. */
async function use(url, { tenantId, token, students }) {
  const response = await fetch(`${url}/api/v1/students/${anyOf(students)}/credits/adjust`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ quantidade: 1, motivo: 'Aula de cortesia' }),
  });
  if (!response.ok) throw new Error(`a command was answered with ${response.status}`);
  await response.arrayBuffer();
  return { tenantId, position: Number(response.headers.get('rende-position')) };
}

/** Time from each event's `recorded_at` until its hint, or a hint with a later position of the same trainer, arrived. */
async function lateness(environment, recorded, heard) {
  const { createPool } = await backendModule('platform/database/pools.js');
  const owner = createPool(environment.DATABASE_OWNER_URL, {
    max: 1,
    searchPath: 'public',
    applicationName: 'bench',
  });
  const { rows } = await owner.query(
    `select tenant_id, position, extract(epoch from recorded_at)::float8 * 1000 as at
     from events join unnest($1::uuid[], $2::bigint[]) as r(tenant_id, position) using (tenant_id, position)`,
    [recorded.map(({ tenantId }) => tenantId), recorded.map(({ position }) => position)],
  );
  await owner.end();
  return Promise.all(
    rows.map(async ({ tenant_id, position, at }) => (await hintOf(heard, tenant_id, position)) - at),
  );
}

async function hintOf(heard, tenantId, position) {
  for (let wait = 0; wait < 200; wait += 1) {
    for (let later = position; later < position + 10; later += 1) {
      const at = heard.get(`${tenantId}/${later}`);
      if (at !== undefined) return at;
    }
    await delay(10);
  }
  throw new Error('a hint did not arrive');
}
