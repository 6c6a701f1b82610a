import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { type ExistingStudent, student } from './student.js';

const everMerged = defineLookUp<{ id: string }, [into: readonly string[]]>(
  `select distinct data->>'student_id' as id from ${storedEvents({ StudentMerged: [1] })} e
  where tenant_id = $1 and data->>'em' = any($2::text[])`,
);

/** Ids of all who were merged into a student, also by way of others. */
export async function mergedInto(tx: CommandTransaction, studentId: string): Promise<string[]> {
  const found: string[] = [];
  let into = [studentId];
  while (into.length > 0) {
    const ids = (await tx.lookUp(everMerged, into)).map(({ id }) => id);
    const states = await Promise.all(ids.map((id) => tx.load(student, id)));
    const isStill = (at: number) => {
      const state = states[at]!;
      return state.status !== 'unknown' && state.juntado_em !== null && into.includes(state.juntado_em);
    };
    const merged = ids.filter((_, at) => isStill(at));
    found.push(...merged);
    into = merged;
  }
  return found;
}

/** The student, or the one into whom they were merged; undefined where that one was removed. */
export async function whoStays(
  tx: CommandTransaction,
  who: ExistingStudent,
): Promise<ExistingStudent | undefined> {
  if (who.juntado_em === null) return who.status === 'removed' ? undefined : who;
  const next = await tx.load(student, who.juntado_em);
  return next.status === 'unknown' ? undefined : whoStays(tx, next);
}
