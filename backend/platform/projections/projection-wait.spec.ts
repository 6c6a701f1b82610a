import { expect, it } from '@jest/globals';
import type { Database } from '../database/database.js';
import type { Readiness } from '../ops/readiness.js';
import type { HintBus, TenantHints } from '../realtime/hint-bus.js';
import { ProjectionWait } from './projection-wait.js';

const TENANT = '5b0f7a0e-6f0e-4a43-9a0c-3b8f4bb0a001';

it('a position that was projected before a crash is waited for again, since its batch may be lost', async () => {
  let crash = () => {};
  let hint: (hints: TenantHints) => void = () => {};
  let position = 50;
  const database = {
    read: () => Promise.resolve([{ position }]),
    onReconnect: (listener: () => void) => (crash = listener),
  };
  const hints = { onHints: (listener: typeof hint) => (hint = listener) };
  const wait = new ProjectionWait(
    database as unknown as Database,
    hints as unknown as HintBus,
    { registerParts: () => undefined } as unknown as Readiness,
  );
  wait.onApplicationBootstrap();
  expect(await wait.wait(TENANT, 50)).toBe(true);

  position = 48;
  crash();
  let isAnswered = false;
  const again = wait.wait(TENANT, 50).finally(() => (isAnswered = true));
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  hint({ tenantId: TENANT, position: 50, hints: [] });
  expect(await again).toBe(true);
});
