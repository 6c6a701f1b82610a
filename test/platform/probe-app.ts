import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AppOptions, createApp } from '../../backend/platform/http/create-app.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { configFor } from './platform.js';
import { ProbeModule } from './probe.js';

/** Starts the platform with the probe's routes on a free port; closed at the end of the test file. */
export async function startProbe(
  env: Record<string, string> = {},
  options: Partial<AppOptions> = {},
): Promise<{ app: NestFastifyApplication; origin: string }> {
  const config = configFor(await testDatabase(), { RENDE_ROLES: 'api', ...env });
  const app = await createApp({ modules: [ProbeModule], config, frontend: 'no-such-folder', ...options });
  atEnd(() => app.close());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, origin: `http://127.0.0.1:${port}` };
}
