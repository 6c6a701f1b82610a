import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { student } from '../students/student.js';
import { creditAccount } from './credit-account.js';
import { type Accounts, creditSharing } from './credit-sharing.js';

export async function loadAccounts(tx: CommandTransaction, student_id: string): Promise<Accounts> {
  const [credits, { dono_id, contas }] = await Promise.all([
    tx.load(creditAccount, student_id),
    tx.load(creditSharing, student_id),
  ]);
  const standing = await Promise.all(contas.map((id) => whoHas(tx, id)));
  const others = await Promise.all(
    [...new Set(standing)]
      .filter((id) => id !== student_id)
      .map(async (id) => ({ student_id: id, credits: await tx.load(creditAccount, id) })),
  );
  return {
    student_id,
    credits,
    dividida: others.find((one) => one.student_id === dono_id) ?? null,
    antigas: others.filter((one) => one.student_id !== dono_id),
  };
}

/** Who has a student's lots now: the student, or the one into whom they were merged. */
async function whoHas(tx: CommandTransaction, id: string): Promise<string> {
  const who = await tx.load(student, id);
  return who.status === 'unknown' || who.juntado_em === null ? id : whoHas(tx, who.juntado_em);
}

const sharing = defineLookUp<{ student_id: string }, [dono: string, holder: string]>(
  `select split_part(holder, ':', 2) as student_id from uses
   where tenant_id = $1 and used = $2 and split_part(holder, ':', 1) = $3 order by 1`,
);

/** Who uses a student's credits besides the student. */
export const sharersOf = async (tx: CommandTransaction, donoId: string): Promise<string[]> =>
  (await tx.lookUp(sharing, `${student.name}:${donoId}`, creditSharing.name)).map(
    ({ student_id }) => student_id,
  );
