import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { isInUse } from '../../platform/event-store/uses.js';
import { searchable } from '../../platform/searchable.api.js';
import { plan } from '../plans/plan.js';
import {
  decideArchive,
  decideRestore,
  decideTag,
  type ExistingStudent,
  student,
  type StudentEvent,
  decideRemove,
  existingStudent,
} from './student.js';
import { type BulkChange, MAX_TAGS, type TagsChange } from './students.api.js';

/** Leaves out tags that differ from an earlier one only by case or accents. */
export function distinctTags(tags: readonly string[]): string[] {
  const words = tags.map(searchable);
  return tags.filter((_, index) => words.indexOf(words[index]!) === index);
}

export const TagStudent = defineCommand('TagStudent', async (tx, id: string, wanted: TagsChange) => {
  const state = await tx.load(student, id);
  const seen = wanted.se_ainda?.etiquetas && { etiquetas: distinctTags(wanted.se_ainda.etiquetas) };
  refuseChanged('As etiquetas', existingStudent(state), seen);
  tx.append(student, id, decideTag(state, distinctTags(wanted.etiquetas)));
  return { id };
});

export const ArchiveStudent = defineCommand('ArchiveStudent', async (tx, id: string) => {
  tx.append(student, id, decideArchive(await tx.load(student, id)));
  return { id };
});

export const RemoveStudent = defineCommand('RemoveStudent', async (tx, id: string) => {
  const [state, inUse] = await Promise.all([tx.load(student, id), isInUse(tx, student, id)]);
  tx.append(student, id, decideRemove(state, inUse));
  return { id };
});

/**
 * The same change for many students; returns those that it changed, so that it can be undone for them alone. Students who were
 * removed or forgotten meanwhile, or need no change, are skipped. @throws Problem 404 for an unknown id; then nothing changes
 */
export const ChangeStudents = defineCommand(
  'ChangeStudents',
  async (tx, { acao, ids, etiqueta = '' }: BulkChange) => {
    const alterados: string[] = [];
    for (const id of new Set(ids)) {
      const state = await tx.load(student, id);
      if (state.status === 'unknown') throw new Problem('students.not_found');
      if (state.status === 'removed' || state.nome === null) continue;
      const events = await decisions[acao](tx, state, etiqueta);
      tx.append(student, id, events);
      if (events.length > 0) alterados.push(id);
    }
    return { alterados };
  },
);

type Decide = (
  tx: CommandTransaction,
  state: ExistingStudent,
  tag: string,
) => StudentEvent[] | Promise<StudentEvent[]>;

const decisions: Record<BulkChange['acao'], Decide> = {
  inativar: (_tx, state) => decideArchive(state),
  reativar: async (tx, state) => {
    const former = state.plano_id ? await tx.load(plan, state.plano_id) : undefined;
    return decideRestore(state, former?.status === 'existing');
  },
  etiquetar: (_tx, state, tag) => {
    const tags = distinctTags([...state.etiquetas, tag]);
    return tags.length > MAX_TAGS ? [] : decideTag(state, tags);
  },
  remover_etiqueta: (_tx, state, tag) =>
    decideTag(
      state,
      state.etiquetas.filter((each) => each !== tag),
    ),
};
