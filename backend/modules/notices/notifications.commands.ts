import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { hintTo } from './notifications.hints.js';
import type { ReadAll } from './notifications.api.js';

/** Notifications of the trainer, or of the student `$2`, also from before they were merged. */
const OWN = `para = case when $2::uuid is null then 'personal' else 'aluno' end and ($2 is null or student_id in (select same_student($2)))`;

const ownOne = defineLookUp<{ id: string }, [studentId: string | null, id: string]>(
  `select id from notifications where tenant_id = $1 and ${OWN} and id = $3`,
);
const READ_ONE = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and id = $3 and lida_em is null`;
const READ_ALL = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and em <= $3 and lida_em is null`;

/** Marks one notification as read, or all up to an instant. Records no event, because this is no fact of the business. */
export class ReadNotifications extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly which: ReadAll | { id: string },
  ) {
    super();
  }
}

@CommandHandler(ReadNotifications)
export class ReadNotificationsHandler implements ICommandHandler<ReadNotifications> {
  constructor(
    private readonly store: EventStore,
    private readonly hints: HintBus,
  ) {}

  /** @throws Problem 404 for a notification of somebody else's */
  async execute(command: ReadNotifications): Promise<CommandResult<Created>> {
    const { context, which } = command;
    const { tenantId, studentId } = context;
    const result = await this.store.transact(command, async (tx) => {
      if ('ate' in which) {
        tx.inTransaction((query) => query(READ_ALL, [tenantId, studentId, which.ate]));
        return { id: studentId ?? tenantId };
      }
      const [known] = await tx.lookUp(ownOne, studentId, which.id);
      if (!known) throw new Problem('notifications.not_found');
      tx.inTransaction((query) => query(READ_ONE, [tenantId, studentId, which.id]));
      return { id: which.id };
    });
    const reader =
      studentId === null
        ? ({ para: 'personal', student_id: tenantId } as const)
        : ({ para: 'aluno', student_id: studentId } as const);
    this.hints.projected([hintTo(reader, tenantId)]);
    return result;
  }
}
