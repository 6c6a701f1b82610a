import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { creditAccount } from './credit-account.js';
import { creditLots } from './credit-lots.guard.js';
import { creditErrors } from './credits.api.js';
import { AdjustCredits, ConsumeCredit, SetMakeUpRules } from './credits.commands.js';
import { creditTransfer } from './credit-transfer.js';
import { TransferCredits, UndoCreditTransfer } from './credit-transfer.commands.js';
import { CreditListsController, CreditsController, CreditTransfersController } from './credits.controller.js';
import { creditHistory } from './credits.history.js';
import { creditLedger, creditNotes, creditTransfers, makeUpRulesRow } from './credits.projection.js';
import { GetCreditStatement, ListLowCredits } from './credits.queries.js';
import { makeUpRulesOf } from './make-up.js';
import { MakeUpRulesController } from './make-up.controller.js';
import { ShowMakeUpRules } from './make-up.queries.js';
import { OwnCreditsController } from './own-credits.controller.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';

@Module({
  controllers: [
    CreditListsController,
    CreditsController,
    CreditTransfersController,
    MakeUpRulesController,
    OwnCreditsController,
  ],
  providers: [
    AdjustCredits.Handler,
    ConsumeCredit.Handler,
    SetMakeUpRules.Handler,
    TransferCredits.Handler,
    UndoCreditTransfer.Handler,
    ShowMakeUpRules.Handler,
    GetCreditStatement.Handler,
    ListLowCredits.Handler,
    GetOwnStatement.Handler,
    WriteOwnStatement.Handler,
    PrintOwnStatement.Handler,
  ],
})
export class CreditsModule {
  static readonly feature: Feature = {
    aggregates: [creditAccount, creditTransfer, makeUpRulesOf],
    guards: [creditLots],
    projections: [creditLedger, creditNotes, creditTransfers, makeUpRulesRow],
    history: creditHistory,
    errors: creditErrors,
  };
}
