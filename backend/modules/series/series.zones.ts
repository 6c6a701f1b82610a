import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import type { TenantEvent } from '../accounts/tenant.js';
import { FollowZone } from './series.commands.js';

/** Converts series when the trainer changes the time zone. Commands convert them too, but read tables must show the new times. */
export const followZone = defineReaction({
  name: 'series-zone',
  events: ['TenantZoneChanged'] satisfies TenantEvent['type'][],
});

@Injectable()
export class SeriesZones implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(followZone, async ({ event: { tenantId, data } }) => {
      const rows = await this.database.read(tenantId, existing({}));
      const ids = rows.map(({ id }) => id);
      const context = nobodyOf(tenantId, data.timezone as string, randomUUID());
      if (ids.length > 0) await this.commands.execute(new FollowZone(context, ids));
      return undefined;
    });
  }
}

const existing = statement((db) =>
  db
    .selectFrom('series')
    .select('id')
    .where(sql<boolean>`not removida`)
    .orderBy('id')
    .compile(),
);
