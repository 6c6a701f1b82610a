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

/**
 * Lines of bank statements, and the trainer's decisions about them.
 *
 * Bank statements (OFX, CSV) are parsed in the browser (`features/bank-lines`), in one pass and with limits. Lines are matched
 * with the open charges, students and recorded refunds (`matching.ts`: amount, name, date, with a certainty), and the user
 * decides each by a tap. Balances are left out, and transfers between own accounts stand apart. A line that is a refund belongs
 * to its reversing entry and records nothing more. The id of a line's stream follows from the bank's id of the line and the
 * master key, so that the same line is recorded once, whichever file it comes in; nothing else of the file is stored. Files of
 * different kinds have different ids for the same line. So for one day and amount only as many lines are recorded as the
 * statement has (guard `bank_line_entries`), and more only on request.
 */
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
    ownData: {
      trainer: {
        'linhas-do-extrato': `select id, decisao, valor, data, charge_id, transaction_id from bank_lines order by data, id`,
      },
    },
    errors: bankLineErrors,
  };
}
