import { GenericContainer, Wait } from 'testcontainers';
import { addresses, adminUrl, migrateDatabase, prepareServer } from '../../infra/start/database.mjs';
import { randomPasswords } from '../../infra/start/temporary-postgres.mjs';

/** Starts a container of an official Postgres image, with the three roles and one migrated database, like `startTemporaryPostgres`. */
export async function startPostgresContainer(image, database) {
  const passwords = randomPasswords();
  const container = await new GenericContainer(image)
    .withEnvironment({ POSTGRES_PASSWORD: passwords.superuser })
    .withCommand(['postgres', '--max_connections=500', '--fsync=off', '--full_page_writes=off', '--jit=off'])
    .withExposedPorts(5432)
    .withHealthCheck({
      // Over TCP, because during initialisation Postgres listens only on its Unix socket.
      test: ['CMD', 'pg_isready', '--host=127.0.0.1', '--username=postgres'],
      interval: 250,
      timeout: 5_000,
      retries: 400,
    })
    .withWaitStrategy(Wait.forAll([Wait.forHealthCheck(), Wait.forListeningPorts()]))
    .start();
  const server = `${container.getHost()}:${container.getMappedPort(5432)}`;
  await prepareServer(server, passwords, database);
  const environment = addresses(server, passwords, database);
  await migrateDatabase(environment);
  return { adminUrl: adminUrl(server, passwords), environment, stop: () => container.stop() };
}
