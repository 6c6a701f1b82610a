import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { existingStudent, student } from '../students/student.js';
import {
  decideChange,
  decideOpenLink,
  decideRegister,
  decideRemove,
  decideRestore,
  existingPayer,
  payer,
} from './payer.js';
import type { NewPayer, PayerChanges, PayerChoice } from './payers.api.js';
import { unlinkAll } from './payers.loads.js';
import { decideChoose, studentPayer } from './student-payer.js';

export const RegisterPayer = defineCommand(
  'RegisterPayer',
  { tokens: LinkTokens },
  async (tx, { tokens }, wanted: NewPayer) => {
    const [id, { student_id }] = [randomUUID(), wanted];
    tx.append(payer, id, [...decideRegister(id, wanted), ...decideOpenLink(id, freshLink(tokens))]);
    if (student_id !== undefined) {
      existingStudent(await tx.load(student, student_id));
      const chosen = { payer_id: id };
      tx.append(
        studentPayer,
        student_id,
        decideChoose(await tx.load(studentPayer, student_id), student_id, chosen),
      );
    }
    return { id };
  },
);

/** Only the hash of its token is stored, by which it is found. */
function freshLink(tokens: LinkTokens) {
  const link_id = randomUUID();
  return { link_id, token_hash: tokens.storedHashOf('payment', link_id) };
}

export const ReplacePayerLink = defineCommand(
  'ReplacePayerLink',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string) => {
    existingPayer(await tx.load(payer, id));
    tx.append(payer, id, decideOpenLink(id, freshLink(tokens)));
    return { id };
  },
);

export const ChangePayer = defineCommand('ChangePayer', async (tx, id: string, changes: PayerChanges) => {
  tx.append(payer, id, decideChange(await tx.load(payer, id), changes));
  return { id };
});

export const RemovePayer = defineCommand('RemovePayer', async (tx, id: string) => {
  const state = existingPayer(await tx.load(payer, id));
  tx.append(payer, id, decideRemove(state, await unlinkAll(tx, id)));
  return { id };
});

/** With the students who have no other payer since. */
export const RestorePayer = defineCommand('RestorePayer', async (tx, id: string) => {
  const state = await tx.load(payer, id);
  const events = decideRestore(state);
  tx.append(payer, id, events);
  for (const student_id of events.length > 0 ? state!.alunos : []) {
    const [who, chosen] = await Promise.all([
      tx.load(student, student_id),
      tx.load(studentPayer, student_id),
    ]);
    const isThere = (who.status === 'active' || who.status === 'archived') && who.nome !== null;
    if (isThere && chosen.payer_id === null)
      tx.append(studentPayer, student_id, decideChoose(chosen, student_id, { payer_id: id }));
  }
  return { id };
});

export const ChoosePayer = defineCommand('ChoosePayer', async (tx, id: string, choice: PayerChoice) => {
  const [who, chosen] = await Promise.all([tx.load(student, id), tx.load(studentPayer, id)]);
  existingStudent(who);
  if (choice.payer_id !== null) existingPayer(await tx.load(payer, choice.payer_id));
  tx.append(studentPayer, id, decideChoose(chosen, id, choice));
  return { id };
});
