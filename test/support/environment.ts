import { join } from 'node:path';
import { overSocket, type TestDatabase } from './database.js';
import { mailFolder } from './mail.js';

/** The variables of an app on this database: any port, no log, and one trusted proxy, which sends the client's address. */
export function environmentFor(
  { environment }: Pick<TestDatabase, 'environment'>,
  given: Record<string, string> = {},
): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(environment).map(([name, address]) => [name, overSocket(address)])),
    NODE_ENV: 'test',
    RENDE_MASTER_KEY: process.env.RENDE_TEST_MASTER_KEY!,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    MAIL_FOLDER: mailFolder(),
    FORGOTTEN_FILE: join(mailFolder(), 'forgotten'),
    SEALS_FOLDER: join(mailFolder(), 'seals'),
    TRUST_PROXY_HOPS: '1',
    VIACEP_URL: 'off',
    // Not public, so nothing is sent.
    WHATSAPP_URL: 'http://127.0.0.1:9',
    BRASILAPI_URL: 'off',
    ...(JSON.parse(process.env.RENDE_TEST_CERTIFICATE!) as Record<string, string>),
    ...given,
  };
}
