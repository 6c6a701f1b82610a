import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import { NoteMonthChange } from './finance.commands.js';
import type { TransactionEvent } from './transaction.js';

/** Notes the first entry of a month that is recorded after its delivery. */
export const noteMonthChanges = defineReaction({
  name: 'delivered-months',
  events: ['TransactionRecorded', 'TransactionReversed'] satisfies TransactionEvent['type'][],
});

@Injectable()
export class DeliveredMonths implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(noteMonthChanges, async ({ event: { tenantId, position, data } }) => {
      const { transaction_id, data: day } = data as { transaction_id: string; data: string };
      const month = day.slice(0, 7);
      const [found] = await this.database.read(tenantId, unchanged({ mes: `${month}-01`, position }));
      if (found)
        await this.commands.execute(
          new NoteMonthChange(nobodyOf(tenantId, found.timezone), month, transaction_id),
        );
      return undefined;
    });
  }
}

/** The tenant's zone, if the month was handed over before this position and has not changed since. */
const unchanged = statement((db, { mes, position }: Blanks<{ mes: string; position: number }>) =>
  db
    .selectFrom('delivered_months as d')
    .innerJoin('tenants as t', 't.tenant_id', 'd.tenant_id')
    .select('t.timezone')
    .where('d.mes', '=', mes)
    .where('d.position', '<', position)
    .where('d.mudou', '=', false)
    .compile(),
);
