import { expect, it } from '@jest/globals';
import { caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';

const database = await testDatabase();
const app = await startApp();

it('answers to a tenant with a parked projection are marked as stale, and readiness names it', async () => {
  const [trainer, other] = [await signUp(app), await signUp(app)];
  const stale = () =>
    Promise.all(
      [trainer, other].map(
        async ({ api }) =>
          (await api.request('GET', '/api/v1/students')).headers.get('rende-stale') === 'true',
      ),
    );
  expect(await stale()).toEqual([false, false]);

  // From here on, projecting would leave the tenant's table behind, so project the sign-up before.
  await caughtUp(database);
  // This release does not touch rows of a version that it does not know.
  await database.query("update projection_version set version = 2 where projection = 'students'");
  await database.query(
    `insert into projection_checkpoint (tenant_id, projection, position, version, parked_error, parked_at)
     values ($1, 'students', 1, 2, 'fault', now())`,
    [trainer.tenantId],
  );
  await eventually(stale, [true, false]);
  const { checks } = (await (await fetch(`${app.url}/health/ready`)).json()) as { checks: object };
  expect(checks).toMatchObject({ 'projection students': 'unavailable', projections: 'ok' });

  await database.query("delete from projection_checkpoint where projection = 'students'");
  await eventually(stale, [false, false]);
});
