import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { session } from '../sessions/session.js';
import { forget } from '../privacy/privacy.commands.js';
import type { StrangersToForget } from './public-link.api.js';
import { strangersOf, unprojectedActs, type StrangerRow } from './strangers.loads.js';
import { visit } from './visit.js';

/**
 * Declines the bookings of people whom only visitors' bookings mention, and forgets these people. Cannot be undone. Whoever
 * is no stranger any more, such as by a confirmation in another window, is left out.
 */
export const ForgetStrangers = defineCommand(
  'ForgetStrangers',
  { outbox: Outbox, list: ForgottenList, hints: HintBus },
  async (tx, { outbox, list, hints }, { student_ids }: StrangersToForget) => {
    const [[behind], all] = await Promise.all([tx.lookUp(unprojectedActs), tx.lookUp(strangers, tx.now)]);
    if (behind) throw new Problem('busy');
    const wanted = all.filter(({ student_id }) => student_ids.includes(student_id));
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
        await forget(tx, student_id, outbox, hints);
        tx.inTransaction(() => list.add(student_id, tx.now, tx.context));
        return abertas.length;
      }),
    );
    return { pessoas: done.length, reservas: done.reduce((sum, reservas) => sum + reservas, 0) };
  },
);

const strangers = defineLookUp<StrangerRow, [now: Date]>(strangersOf('$1', '$2'));
