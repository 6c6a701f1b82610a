import type { Type } from '@nestjs/common';
import { Clock } from '../clock.js';
import { Config } from '../config/env.js';
import { ForgetAgain, type Forgetting } from '../event-store/forgotten-list.js';
import { createApp } from '../http/create-app.js';

class ListClock extends Clock {
  at = new Date();

  override now(): Date {
    return this.at;
  }
}

/**
 * Forgets these people once more, each at the moment at which it was decided, with an application that serves nobody.
 * Answers how many of them the database knows.
 */
export async function forgetAgain(
  modules: Type[],
  config: Config,
  forgettings: readonly Forgetting[],
): Promise<number> {
  const clock = new ListClock();
  const silent = { roles: new Set<never>(), metricsPort: 0, logLevel: 'error' } as const;
  const app = await createApp({ modules, config: Object.assign(new Config(), config, silent), clock });
  try {
    await app.init();
    const module = app.get(ForgetAgain, { strict: false });
    let known = 0;
    for (const forgetting of forgettings) {
      clock.at = new Date(forgetting.at);
      if (await module.forgetAgain(forgetting)) known += 1;
    }
    return known;
  } finally {
    await app.close();
  }
}
