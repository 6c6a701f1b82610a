import { beforeAll, describe, expect, it } from '@jest/globals';
import { Load } from '../faults/harness/load.js';
import { openStage, type Stage } from '../faults/harness/stage.js';
import { describeWithRedis } from '../support/needs.js';
import type { TestProcess } from '../support/process.js';
import { itIsShared } from './shared.js';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { atEnd } from '../support/cleanup.js';

/**
 * Passes each connection on to the next of several servers on loopback, skipping those that do not listen: a minimal web
 * server in front of replicas. Closed at the end of the test file.
 */
async function startProxy(urls: () => readonly string[]): Promise<{ url: string }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    turn += 1;
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    passOn(client, urls(), turn);
  });
  atEnd(() => {
    server.close();
    for (const client of open) client.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function passOn(client: Socket, urls: readonly string[], turn: number, tries = urls.length): void {
  if (tries === 0) return void client.destroy();
  const { hostname, port } = new URL(urls[turn % urls.length]!);
  const server = connect(Number(port), hostname);
  const next = () => passOn(client, urls, turn + 1, tries - 1);
  server.once('error', next);
  server.once('connect', () => {
    server.off('error', next).on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
}

const CLIENTS = 4;

/** Two API processes and two workers on one database. */
function suite(withRedis: boolean): void {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage({ withRedis });
  });

  itIsShared(() => [stage.apis[0]!, stage.apis[1]!]);

  it('killing a replica under load costs a client one retry at most', async () => {
    const { url } = await startProxy(stage.urls);
    const load = new Load(stage.trainers, stage.history, () => [url]);
    load.start(CLIENTS);
    const { commands } = stage.history;
    const isNoticed = () => commands.some(({ attempts }) => attempts[0]?.error);
    const kill = async (replicas: TestProcess[]) => {
      await load.acknowledged(30);
      await replicas.pop()!.end('SIGKILL');
      await load.acknowledged(30);
    };
    await kill(stage.apis);
    // Repeat, because the killed replica may have had no open request.
    for (let tries = 1; tries < 10 && !isNoticed(); tries += 1) {
      stage.apis.push(await stage.start('api'));
      await kill(stage.apis);
    }
    await kill(stage.workers);
    await load.stop();

    const retried = commands.filter(({ attempts }) => attempts.length > 1);
    expect(retried.filter(({ attempts }) => attempts.length > 2)).toEqual([]);
    expect(retried.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(isNoticed()).toBe(true);
    await stage.check();
  });
}

describe('Replicas over Postgres alone', () => suite(false));
describeWithRedis('Replicas with Redis', () => suite(true));
