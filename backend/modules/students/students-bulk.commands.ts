import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { plan } from '../plans/plan.js';
import {
  decideArchive,
  decideRestore,
  decideTag,
  type ExistingStudent,
  student,
  type StudentEvent,
} from './student.js';
import { type BulkChange, MAX_TAGS } from './students.api.js';
import { distinctTags } from './students.commands.js';

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
