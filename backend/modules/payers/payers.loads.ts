import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { payer } from './payer.js';
import { decideChoose, studentPayer } from './student-payer.js';

const linked = defineLookUp<{ student_id: string }, [payer: string, holder: string]>(
  `select split_part(holder, ':', 2) as student_id from uses
   where tenant_id = $1 and used = $2 and split_part(holder, ':', 1) = $3 order by 1`,
);

/** The students of a payer, among them those who were merged into others. */
export const studentsOf = async (tx: CommandTransaction, payerId: string): Promise<string[]> =>
  (await tx.lookUp(linked, `${payer.name}:${payerId}`, studentPayer.name)).map(
    ({ student_id }) => student_id,
  );

/** They pay for themselves again. Returns who that is. */
export async function unlinkAll(tx: CommandTransaction, payerId: string): Promise<string[]> {
  const students = await studentsOf(tx, payerId);
  for (const id of students)
    tx.append(studentPayer, id, decideChoose(await tx.load(studentPayer, id), id, { payer_id: null }));
  return students;
}
