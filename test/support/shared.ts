import { resolve } from 'node:path';
import { AppModule } from '../../backend/app.module.js';
import { Clock } from '../../backend/platform/clock.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import type { JobDefinition } from '../../backend/platform/jobs/define-job.js';
import { reactDue, sendDueMails } from '../../backend/platform/jobs/platform-jobs.js';
import { runnerOf, type TestApp } from './app.js';
import { atEnd } from './cleanup.js';
import { createLastingDatabase, databaseFrom, testDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { lastingMailFolder, useMailFolder } from './mail.js';

/** The clock of the file that uses the application now; the time of the machine between files. */
class ClockOfFile extends Clock {
  of: Clock = new Clock();

  override now(): Date {
    return this.of.now();
  }
}

/**
 * The scheduled jobs that run here, because they also finish what a file has begun. Others would come now and then in the middle
 * of a file, at the time of that file's clock, and cost more than most files: a file that needs one runs it by hand.
 */
const SCHEDULED: readonly JobDefinition[] = [sendDueMails, reactDue];

async function start() {
  const database = await createLastingDatabase();
  const folder = lastingMailFolder();
  const clock = new ClockOfFile();
  const nest = await createApp({
    modules: [AppModule],
    config: readConfig(
      environmentFor(database, {
        MAIL_FOLDER: folder,
        FORGOTTEN_FILE: resolve(folder, 'forgotten'),
        SEALS_FOLDER: resolve(folder, 'seals'),
      }),
    ),
    clock,
    frontend: resolve('dist/frontend'),
  });
  const features = nest.get(FeatureRegistry).all;
  // Copies, because an application that a later file starts for itself has the same definitions and needs their schedules.
  features.jobs = features.jobs.map((job) =>
    SCHEDULED.includes(job) ? job : { ...job, schedule: undefined },
  );
  await nest.listen(0, '127.0.0.1');
  const app: TestApp = {
    url: await nest.getUrl(),
    nest,
    run: runnerOf(nest, database),
    close: () => Promise.resolve(),
  };
  return { app, database, folder, clock };
}

type Shared = ReturnType<typeof start>;
const worker = globalThis as { rendeShared?: Shared };
const shared = () => (worker.rendeShared ??= start());

databaseFrom(async () => {
  const { database } = await shared();
  const tenants = await database.query<{ tenant_id: string }>('select tenant_id from tenant_log');
  return { ...database, others: tenants.map(({ tenant_id }) => tenant_id) };
});

/**
 * The application of all test files of this worker, which costs seconds of processor to start, on a database and a mail folder
 * of its own: for files that need no setting, no job at a given time and no table without others' rows. Tenants keep files
 * apart. `clock` is its clock until the end of the file.
 */
export async function sharedApp(clock?: Clock): Promise<TestApp> {
  const { app, folder, clock: ofFile } = await shared();
  await testDatabase();
  useMailFolder(folder);
  ofFile.of = clock ?? new Clock();
  atEnd(() => {
    ofFile.of = new Clock();
  });
  return app;
}
