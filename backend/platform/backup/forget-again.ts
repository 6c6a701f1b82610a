import type { Type } from '@nestjs/common';
import { Clock } from '../clock.js';
import { Config } from '../config/env.js';
import { DeleteAccountAgain, ForgetAgain, type ForgottenEntry } from '../event-store/forgotten-list.js';
import { startWithoutRoutes } from '../http/create-app.js';

class ListClock extends Clock {
  at = new Date();

  override now(): Date {
    return this.at;
  }
}

/**
 * Forgets these people and deletes these accounts once more, each as of the moment of the original decision. It starts
 * an application that accepts no requests. Returns how many of them the database knows.
 */
export async function forgetAgain(
  modules: Type[],
  config: Config,
  entries: readonly ForgottenEntry[],
): Promise<number> {
  const clock = new ListClock();
  const silent = { roles: new Set<never>(), metricsPort: 0, logLevel: 'error' } as const;
  const app = await startWithoutRoutes({
    modules,
    config: Object.assign(new Config(), config, silent),
    clock,
  });
  try {
    const persons = app.get(ForgetAgain, { strict: false });
    const accounts = app.get(DeleteAccountAgain, { strict: false });
    let known = 0;
    for (const entry of entries) {
      clock.at = new Date(entry.at);
      const isKnown =
        'accountId' in entry ? await accounts.deleteAgain(entry) : await persons.forgetAgain(entry);
      if (isKnown) known += 1;
    }
    return known;
  } finally {
    await app.close();
  }
}
