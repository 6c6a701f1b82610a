import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import type { StudentPauseEvent } from '../away/student-pause.js';
import { FillSeries } from './series.commands.js';

/** Books what series left out because of a pause that now ends earlier. */
export const followPause = defineReaction({
  name: 'series-pause',
  events: ['StudentPaused', 'StudentResumed'] satisfies StudentPauseEvent['type'][],
});

@Injectable()
export class SeriesPauses implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(followPause, async ({ event: { tenantId, data } }) => {
      const rows = await this.database.read(tenantId, endless({ studentId: data.student_id as string }));
      for (const { id, timezone } of rows)
        await this.commands.execute(new FillSeries(nobodyOf(tenantId, timezone, randomUUID()), id));
      return undefined;
    });
  }
}

/** The student's series without an end. */
const endless = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('series as s')
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .select(['s.id', 't.timezone'])
    .where('s.student_id', '=', studentId)
    .where('s.ate', 'is', null)
    .where(sql<boolean>`not s.removida`)
    .orderBy('s.id')
    .compile(),
);
