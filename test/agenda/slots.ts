import { expect } from '@jest/globals';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { GuardRebuild } from '../../backend/platform/event-store/guard-rebuild.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import type { TestApp } from '../support/app.js';
import { connect, testDatabase } from '../support/database.js';

/** Builds a tenant's guards from its log, and expects the same rows as before. */
export async function expectSlotsToFollowFromTheLog({ nest }: TestApp, tenantId: string): Promise<void> {
  const database = await testDatabase();
  const rows = () =>
    database.query(
      `select during::text from session_slots where tenant_id = $1 union all
       select session_id::text || during::text from session_slot_members where tenant_id = $1 union all
       select session_id::text || grupo_id::text from session_groups where tenant_id = $1 order by 1`,
      [tenantId],
    );
  const live = await rows();
  const owner = await connect(database.environment.DATABASE_OWNER_URL);
  await new GuardRebuild(nest.get(FeatureRegistry), nest.get(EventCodec)).rebuild(owner, tenantId);
  expect(await rows()).toEqual(live);
}
