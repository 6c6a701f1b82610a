import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { session } from '../sessions/session.js';
import { forget } from '../privacy/privacy.commands.js';
import type { StrangersForgotten } from './public-link.api.js';
import { strangersOf, unprojectedActs, type StrangerRow } from './strangers.loads.js';
import { visit } from './visit.js';

/** Declines the bookings of people whom only visitors' bookings mention, and forgets these people. Cannot be undone. */
export class ForgetStrangers extends Command<CommandResult<StrangersForgotten>> {
  constructor(
    readonly context: CommandContext,
    readonly studentIds: readonly string[],
  ) {
    super();
  }
}

/** Whoever is no stranger any more, such as by a confirmation in another window, is left out. */
@CommandHandler(ForgetStrangers)
export class ForgetStrangersHandler implements ICommandHandler<ForgetStrangers> {
  constructor(
    private readonly store: EventStore,
    private readonly outbox: Outbox,
    private readonly list: ForgottenList,
    private readonly hints: HintBus,
  ) {}

  execute(command: ForgetStrangers): Promise<CommandResult<StrangersForgotten>> {
    const { context, studentIds } = command;
    return this.store.transact(command, async (tx) => {
      const [[behind], all] = await Promise.all([tx.lookUp(unprojectedActs), tx.lookUp(strangers, tx.now)]);
      if (behind) throw new Problem('busy');
      const wanted = all.filter(({ student_id }) => studentIds.includes(student_id));
      const done = await Promise.all(
        wanted.map(async ({ student_id, abertas }) => {
          const [states] = await Promise.all([
            Promise.all(abertas.map(({ session_id }) => tx.load(session, session_id))),
            ...abertas.map(({ visit_id }) => tx.load(visit, visit_id)),
          ]);
          // Confirmed by the visitor's link, which is no act of the trainer.
          if (states.some((state) => state?.confirmado)) return 0;
          for (const { visit_id, session_id } of abertas) {
            const data = { visit_id, session_id, student_id, mensagem: null };
            tx.append(visit, visit_id, [{ type: 'VisitDeclined', data }]);
          }
          await forget(tx, student_id, this.outbox, this.hints);
          tx.inTransaction(() => this.list.add(student_id, tx.now, context));
          return abertas.length;
        }),
      );
      return { pessoas: done.length, reservas: done.reduce((sum, reservas) => sum + reservas, 0) };
    });
  }
}

const strangers = defineLookUp<StrangerRow, [now: Date]>(strangersOf('$1', '$2'));
