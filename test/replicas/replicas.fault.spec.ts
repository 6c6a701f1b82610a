import { beforeAll, describe, expect, it } from '@jest/globals';
import { Load } from '../faults/harness/load.js';
import { openStage, type Stage } from '../faults/harness/stage.js';
import { describeWithRedis } from '../support/needs.js';
import type { TestProcess } from '../support/process.js';
import { startProxy } from '../support/proxy.js';
import { itIsShared } from './shared.js';

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
