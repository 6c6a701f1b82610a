import { randomBytes } from 'node:crypto';
import type { TestDatabase } from './database.js';

const masterKey = randomBytes(32).toString('base64');

export interface Surroundings {
  /** Without it, queues and sockets go over Postgres. */
  redisUrl?: string;
  /** 'api,worker' unless given. */
  roles?: string;
  /** Variables over all others. */
  env?: Record<string, string>;
}

/** The variables of an app on this database: any port, no log, and one proxy in front that names the client's address. */
export function environmentFor(
  database: TestDatabase,
  { redisUrl, roles, env }: Surroundings = {},
): Record<string, string> {
  return {
    ...database.environment,
    NODE_ENV: 'test',
    RENDE_MASTER_KEY: masterKey,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    TRUST_PROXY_HOPS: '1',
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(roles && { RENDE_ROLES: roles }),
    ...env,
  };
}
