import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { bankLineEntries } from './bank-line-entries.guard.js';
import { bankLine } from './bank-line.js';
import { bankLinesApi, bankLineErrors } from './bank-lines.api.js';
import {
  SettleByLine,
  SplitLine,
  UndoPayments,
  RecordLine,
  RefundByLine,
  LeaveLine,
  ReopenLine,
} from './bank-lines.commands.js';
import { BankLinesController } from './bank-lines.controller.js';
import { bankLineHistory } from './bank-lines.history.js';
import { bankLineRows } from './bank-lines.projection.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';

/** Lines of bank statements, and the trainer's decisions about them. */
@Module(
  together(
    serve(bankLinesApi, {
      settle: SettleByLine,
      split: SplitLine,
      undoPayments: UndoPayments,
      record: RecordLine,
      refund: RefundByLine,
      leave: LeaveLine,
      reopen: ReopenLine,
    }),
    { controllers: [BankLinesController], providers: [LineIds, CompareLines.Handler] },
  ),
)
export class BankLinesModule {
  static readonly feature: Feature = {
    aggregates: [bankLine],
    guards: [bankLineEntries],
    projections: [bankLineRows],
    history: bankLineHistory,
    errors: bankLineErrors,
  };
}
