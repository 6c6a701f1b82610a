import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { bankLineEntries } from './bank-line-entries.guard.js';
import { bankLine } from './bank-line.js';
import { bankLineErrors } from './bank-lines.api.js';
import {
  LeaveLine,
  RecordLine,
  RefundByLine,
  ReopenLine,
  SettleByLine,
  SplitLine,
  UndoPayments,
} from './bank-lines.commands.js';
import { BankLinesController } from './bank-lines.controller.js';
import { bankLineHistory } from './bank-lines.history.js';
import { bankLineRows } from './bank-lines.projection.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';

/** Lines of bank statements, and the trainer's decisions about them. */
@Module({
  controllers: [BankLinesController],
  providers: [
    LineIds,
    CompareLines.Handler,
    SettleByLine.Handler,
    SplitLine.Handler,
    UndoPayments.Handler,
    RecordLine.Handler,
    RefundByLine.Handler,
    LeaveLine.Handler,
    ReopenLine.Handler,
  ],
})
export class BankLinesModule {
  static readonly feature: Feature = {
    aggregates: [bankLine],
    guards: [bankLineEntries],
    projections: [bankLineRows],
    history: bankLineHistory,
    errors: bankLineErrors,
  };
}
