import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { creditAccount } from './credit-account.js';
import { creditLots } from './credit-lots.guard.js';
import { creditErrors } from './credits.api.js';
import { AdjustCredits, ConsumeCredit, RenewCredits } from './credits.commands.js';
import { CreditListsController, CreditsController } from './credits.controller.js';
import { creditHistory } from './credits.history.js';
import { creditLedger, creditNotes } from './credits.projection.js';
import { GetCreditStatementHandler, ListLowCreditsHandler } from './credits.queries.js';
import { OwnCreditsController } from './own-credits.controller.js';
import {
  GetOwnStatementHandler,
  PrintOwnStatementHandler,
  WriteOwnStatementHandler,
} from './own-credits.queries.js';

@Module({
  controllers: [CreditListsController, CreditsController, OwnCreditsController],
  providers: [
    RenewCredits.Handler,
    AdjustCredits.Handler,
    ConsumeCredit.Handler,
    GetCreditStatementHandler,
    ListLowCreditsHandler,
    GetOwnStatementHandler,
    WriteOwnStatementHandler,
    PrintOwnStatementHandler,
  ],
})
export class CreditsModule {
  static readonly feature: Feature = {
    aggregates: [creditAccount],
    guards: [creditLots],
    projections: [creditLedger, creditNotes],
    history: creditHistory,
    errors: creditErrors,
  };
}
