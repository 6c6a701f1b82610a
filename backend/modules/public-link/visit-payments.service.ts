import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { ArrivedPixEvent } from '../charges/arrived-pix.js';
import type { ChargeEvent } from '../charges/charge.js';
import { FollowPayment } from './visits.commands.js';

const PAYING = ['ChargePaid', 'PixArrived'] as const satisfies (ChargeEvent | ArrivedPixEvent)['type'][];

/** What is paid for a booking lets it stand, or brings it back. */
export const visitPayments = defineReaction({ name: 'visit-payments', events: PAYING });

const OF_BOOKING = `select t.timezone from charges c join tenants t on t.tenant_id = c.tenant_id
  where c.tenant_id = $1 and c.id = $2 and c.entrada is not null`;

/** The command decides by what stands then, so it may come again. */
@Injectable()
export class VisitPayments implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(visitPayments, async ({ id, event: { tenantId, data }, query }) => {
      const { charge_id, pix_id = null } = data as { charge_id: string | null; pix_id?: string };
      if (charge_id === null) return undefined;
      const [row] = await query<{ timezone: string }>(OF_BOOKING, [tenantId, charge_id]);
      if (row)
        await this.commands.execute(
          new FollowPayment(nobodyOf(tenantId, row.timezone, id), charge_id, pix_id),
        );
      return undefined;
    });
  }
}
