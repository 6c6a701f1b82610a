import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { readConfig } from '../../backend/platform/config/env.js';
import type { CommandContext } from '../../backend/platform/event-store/context.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import { atEnd } from '../support/cleanup.js';
import type { TestDatabase } from '../support/database.js';
import { mailFolder } from '../support/mail.js';
import { type AddToTally, tally, tallied, TallyModule } from './tally.js';

const masterKey = randomBytes(32).toString('base64');

export function configFor(database: TestDatabase, env: Record<string, string> = {}) {
  return readConfig({
    ...database.environment,
    NODE_ENV: 'test',
    RENDE_MASTER_KEY: masterKey,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    FORGOTTEN_FILE: join(mailFolder(), 'forgotten'),
    RENDE_ROLES: 'worker',
    ...env,
  });
}

/** Starts the platform with only the tally module, without listening; closed at the end of the test file. */
export async function startPlatform(
  database: TestDatabase,
  env: Record<string, string> = {},
  module: Type = TallyModule,
): Promise<INestApplication> {
  const app = await createApp({ modules: [module], config: configFor(database, env) });
  await app.init();
  atEnd(() => app.close());
  return app;
}

export function contextOf(
  tenantId: string,
  idempotency: CommandContext['idempotency'] = null,
): CommandContext {
  return {
    tenantId,
    userId: tenantId,
    role: 'personal',
    studentId: null,
    timezone: 'America/Sao_Paulo',
    requestId: randomUUID(),
    device: null,
    idempotency,
  };
}

/** Creates a tenant with an empty log. */
export async function openTenant(app: INestApplication): Promise<string> {
  const tenantId = randomUUID();
  class OpenTenant {
    readonly context = contextOf(tenantId);
  }
  await app.get(EventStore).transact(new OpenTenant(), () => ({ id: tenantId }), { opensTenant: true });
  return tenantId;
}

/** Adds to the tally. Returns its new sum. */
export function addToTally(app: INestApplication, command: AddToTally) {
  return app.get(EventStore).transact(command, async (tx) => {
    const { sum } = await tx.load(tally, command.tallyId);
    tx.append(tally, command.tallyId, [tallied(command)]);
    return { id: command.tallyId, sum: sum + command.amount };
  });
}

/** Forgets the personal data of the tally. */
export function forgetTally(app: INestApplication, tenantId: string, tallyId: string) {
  class ForgetTally {
    readonly context = contextOf(tenantId);
  }
  return app.get(EventStore).transact(new ForgetTally(), async (tx) => {
    await tx.load(tally, tallyId);
    tx.append(tally, tallyId, [{ type: 'TallyForgotten', data: { tally_id: tallyId } }]);
    return { id: tallyId };
  });
}
