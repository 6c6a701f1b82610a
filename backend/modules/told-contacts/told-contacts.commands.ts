import { defineCommand } from '../../platform/event-store/define-command.js';
import { decideUpdate, existingStudent, student } from '../students/student.js';
import { type AccountChange, decideAnswer, decideTell, toldContact } from './told-contact.js';
import type { ToldAnswer } from './told-contacts.api.js';

/** What changed in the account of the student in whose name it runs. */
export const TellContact = defineCommand('TellContact', async (tx, change: AccountChange) => {
  const id = tx.context.studentId!;
  const [state, register] = await Promise.all([tx.load(toldContact, id), tx.load(student, id)]);
  tx.append(toldContact, id, decideTell(state, register, change));
  return { id };
});

export const AnswerToldContact = defineCommand(
  'AnswerToldContact',
  async (tx, id: string, answer: ToldAnswer) => {
    const [state, known] = await Promise.all([tx.load(toldContact, id), tx.load(student, id)]);
    const { told, register } = decideAnswer(state, existingStudent(known), answer);
    if (register) tx.append(student, id, decideUpdate(known, register));
    tx.append(toldContact, id, told);
    return { id };
  },
);
