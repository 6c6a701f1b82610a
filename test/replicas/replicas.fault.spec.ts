import { beforeAll, describe, expect, it } from '@jest/globals';
import { Load } from '../faults/harness/load.js';
import { openStage, type Stage } from '../faults/harness/stage.js';
import { describeWithRedis } from '../support/needs.js';
import { startProxy } from '../support/proxy.js';
import { itIsShared } from './shared.js';

const CLIENTS = 4;

/** Two api processes and two workers over one database. */
function suite(withRedis: boolean): void {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage({ withRedis });
  });

  itIsShared(() => [stage.apis[0]!, stage.apis[1]!]);

  it('a replica killed while people work is noticed as one retry at most', async () => {
    const { url } = await startProxy(stage.urls);
    const load = new Load(stage.trainers, stage.history, () => [url]);
    load.start(CLIENTS);
    for (const replicas of [stage.apis, stage.workers]) {
      await load.acknowledged(30);
      await replicas.pop()!.end('SIGKILL');
      await load.acknowledged(30);
    }
    await load.stop();

    const { commands } = stage.history;
    const retried = commands.filter(({ attempts }) => attempts.length > 1);
    expect(retried.filter(({ attempts }) => attempts.length > 2)).toEqual([]);
    expect(retried.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(commands.filter(({ attempts }) => attempts[0]!.error).length).toBeGreaterThan(0);
    await stage.check();
  });
}

describe('Replicas over Postgres alone', () => suite(false));
describeWithRedis('Replicas with Redis', () => suite(true));
