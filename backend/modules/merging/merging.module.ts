import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import { definePrice } from '../audit/price.queries.js';
import { studentMerge, type MergeEvent } from './merge.js';
import { mergingApi, mergingErrors } from './merging.api.js';
import { MergeStudents, UndoMerge } from './merging.commands.js';
import { PreviewMerge } from './merging.queries.js';

const subjects = ({ fica, sai }: { fica: string; sai: string }) => [`student:${fica}`, `student:${sai}`];

const mergingHistory: HistoryWords<MergeEvent> = {
  StudentsMerged: {
    subjects,
    words: ({ nome, sessoes, creditos, em_aberto }) => {
      const passed = [
        sessoes > 0 && plural(sessoes, 'sessão', 'sessões'),
        creditos > 0 && plural(creditos, 'crédito', 'créditos'),
        em_aberto > 0 && `${brl(em_aberto)} em aberto`,
      ].filter(Boolean);
      return `Juntou o cadastro de ${nome ?? 'um aluno apagado'}${passed.length > 0 ? `: ${passed.join(', ')}` : ''}`;
    },
  },
  StudentsUnmerged: { subjects, words: () => 'Desfez a junção de dois cadastros' },
};

/**
 * Two records of one person, such as from the public page, an import or a second phone, become one. Each thing of the second one gets an
 * event that names the student who stays (`Reassigned`), credits pass with their lots, and the second record is left as a removed
 * student that names the other (`juntado_em`). So every list, balance and page reads what it always read. What is left under the
 * second id is what nothing shows but the history and a copy of the person's data, which read both, and forgetting, which forgets both.
 * Undoing gives everything back by the same events, while none of it has changed.
 */
@Module(
  serve(mergingApi, {
    preview: PreviewMerge,
    merge: MergeStudents,
    undo: UndoMerge,
    undoPrice: definePrice<[string]>('PriceUndoMerge', UndoMerge),
  }),
)
export class MergingModule {
  static readonly feature: Feature = {
    aggregates: [studentMerge],
    history: mergingHistory,
    errors: mergingErrors,
  };
}
