import { Injectable } from '@nestjs/common';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { ForgetAgain, type Forgetting, ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { endAccess } from '../accounts/invites.commands.js';
import { forgetExports } from '../accounts/leaving.commands.js';
import { cancelAll, comingOf } from '../agenda/sessions-bulk.commands.js';
import { revokeOpenOf } from '../contracts/sending.commands.js';
import { creditSharing, sharingSet } from '../credits/credit-sharing.js';
import { forgetLetters } from '../letters/letters.commands.js';
import { payer } from '../payers/payer.js';
import { unlinkAll } from '../payers/payers.loads.js';
import { decideChoose, studentPayer } from '../payers/student-payer.js';
import { mergedInto } from '../students/merged.loads.js';
import { decideArchive, refuseMerged, student } from '../students/student.js';
import { decideForget, person } from '../students/person.js';
import type { Forgotten } from './privacy.api.js';

/**
 * Cannot be undone. Removed students can be forgotten too. Future sessions are cancelled in the same command, so that the
 * trainer need not cancel them one by one first. The student's user account stays the person's own, but loses its
 * membership with this trainer.
 */
export const ForgetStudent = defineCommand(
  'ForgetStudent',
  { outbox: Outbox, list: ForgottenList, hints: HintBus },
  async (tx, { outbox, list, hints }, id: string) => {
    refuseMerged(await tx.load(student, id));
    const answer = await forget(tx, id, outbox, hints);
    if (tx.appended === 0) return answer;
    // A backup may be from before they were merged.
    for (const one of [id, ...(await mergedInto(tx, id))])
      tx.inTransaction(() => list.add(one, tx.now, tx.context));
    return answer;
  },
);

/** Cannot be undone. The students pay for themselves again. */
export const ForgetPayer = defineCommand(
  'ForgetPayer',
  { outbox: Outbox, list: ForgottenList },
  async (tx, { outbox, list }, id: string) => {
    await forgetPayer(tx, id, outbox);
    if (tx.appended > 0) tx.inTransaction(() => list.add(id, tx.now, tx.context));
    return { id };
  },
);

async function forgetPayer(tx: CommandTransaction, id: string, outbox: Outbox): Promise<void> {
  const [pays, state] = await Promise.all([tx.load(payer, id), tx.load(person, id)]);
  if (!pays) throw new Problem('payers.not_found');
  if (state.forgotten) return;
  await unlinkAll(tx, id);
  forgetExports(tx);
  tx.append(person, id, decideForget(state, id));
  forgetMails(tx, id, outbox);
}

/** Of a student or a payer. */
function forgetMails(tx: CommandTransaction, id: string, outbox: Outbox): void {
  forgetLetters(tx, id);
  tx.inTransaction((query) => outbox.forget(query, id));
}

/** Forgets again after a restore, including the future sessions at the time of the original forgetting. */
@Injectable()
export class ForgetStudentAgain extends ForgetAgain {
  constructor(
    private readonly store: EventStore,
    private readonly outbox: Outbox,
  ) {
    super();
  }

  async forgetAgain({ personId, context }: Forgetting): Promise<boolean> {
    const command = new ForgetStudent({ ...context, idempotency: null }, personId);
    try {
      await this.store.transact(command, async (tx) => {
        if (await tx.load(payer, personId)) await forgetPayer(tx, personId, this.outbox);
        else await forget(tx, personId, this.outbox, null);
        return { id: personId };
      });
      return true;
    } catch (error) {
      // The student or the tenant was created after the backup.
      if (error instanceof Problem && error.code.endsWith('not_found')) return false;
      throw error;
    }
  }
}

/** With all who were merged into the student. `hints` is null in a restore, which has no sockets to close. */
export async function forget(
  tx: CommandTransaction,
  id: string,
  outbox: Outbox,
  hints: HintBus | null,
): Promise<Forgotten> {
  const [who, state] = await Promise.all([tx.load(student, id), tx.load(person, id)]);
  if (who.status === 'unknown') throw new Problem('students.not_found');
  if (state.forgotten) return { id, sessoes_canceladas: 0 };
  const coming = await comingOf(tx, id);
  await cancelAll(tx, coming);
  await revokeOpenOf(tx, id);
  if (who.status === 'active') tx.append(student, id, decideArchive(who));
  await endAccess(tx, id, hints);
  tx.append(studentPayer, id, decideChoose(await tx.load(studentPayer, id), id, { payer_id: null }));
  tx.append(creditSharing, id, sharingSet(await tx.load(creditSharing, id), id, null));
  forgetExports(tx);
  for (const one of [id, ...(await mergedInto(tx, id))]) {
    tx.append(person, one, decideForget(await tx.load(person, one), one));
    forgetMails(tx, one, outbox);
  }
  return { id, sessoes_canceladas: coming.length };
}
