import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { studentMerge } from './merge.js';
import { mergingApi, mergingErrors } from './merging.api.js';
import { MergeStudents, UndoMerge } from './merging.commands.js';
import { mergingHistory } from './merging.history.js';
import { PreviewMerge } from './merging.queries.js';

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
