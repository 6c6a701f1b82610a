// `npm run test:containers`: runs the integration tests on the official images of Postgres (the version of
// docker-compose.yml and the oldest supported one) and Redis, then tests a backup between the two versions and the whole
// docker-compose.yml. Needs Docker.
import { availableParallelism } from 'node:os';
import { ensureBuilt } from '../start/build.mjs';
import { describeFolderError } from '../start/folder.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { ensureInstalled } from '../start/install.mjs';
import { checkNode } from '../start/processes.mjs';
import { report, runTests } from '../start/tests.mjs';
import { composeImage, oldestPostgres } from './images.mjs';

try {
  checkNode();
  await ensureInstalled();
  await ensureBuilt();
  await requireDocker();
  const redis = await composeImage('redis');
  for (const postgres of [await composeImage('postgres'), oldestPostgres]) {
    console.log(`Rende: testes de integração com ${postgres} e ${redis}…`);
    const environment = { RENDE_TEST_POSTGRES_IMAGE: postgres, RENDE_TEST_REDIS_IMAGE: redis };
    await runTests(['integration'], { workers: availableParallelism(), environment });
  }
  console.log('Rende: um backup entre os dois, e o docker-compose.yml inteiro…');
  await runTests(['containers'], { workers: 1 });
  report();
} catch (error) {
  fail(describeFolderError(error));
}

async function requireDocker() {
  const { getContainerRuntimeClient } = await import('testcontainers');
  await getContainerRuntimeClient().catch((error) => {
    throw new ExpectedError(
      `npm run test:containers precisa do Docker, que não respondeu (${error.message}).`,
    );
  });
}
