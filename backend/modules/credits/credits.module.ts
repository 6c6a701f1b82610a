import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { makeUpRulesApi } from './make-up.api.js';
import { creditAccount } from './credit-account.js';
import { creditLots } from './credit-lots.guard.js';
import {
  creditListsApi,
  creditsApi,
  creditTransfersApi,
  ownCreditsApi,
  creditErrors,
} from './credits.api.js';
import { AdjustCredits, ConsumeCredit, SetMakeUpRules } from './credits.commands.js';
import { creditTransfer } from './credit-transfer.js';
import { TransferCredits, UndoCreditTransfer } from './credit-transfer.commands.js';
import { creditHistory } from './credits.history.js';
import { creditLedger, creditNotes, creditTransfers, makeUpRulesRow } from './credits.projection.js';
import { ListLowCredits, GetCreditStatement } from './credits.queries.js';
import { makeUpRulesOf } from './make-up.js';
import { ShowMakeUpRules } from './make-up.queries.js';
import { OwnCreditsController } from './own-credits.controller.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';

@Module(
  together(
    serve(creditListsApi, { low: ListLowCredits }),
    serve(creditsApi, {
      statement: GetCreditStatement,
      adjust: AdjustCredits,
      consume: ConsumeCredit,
      transfer: TransferCredits,
    }),
    serve(creditTransfersApi, { undo: UndoCreditTransfer }),
    serve(makeUpRulesApi, { show: ShowMakeUpRules, change: SetMakeUpRules }),
    serve(ownCreditsApi, { statement: GetOwnStatement }),
    {
      controllers: [OwnCreditsController],
      providers: [WriteOwnStatement.Handler, PrintOwnStatement.Handler],
    },
  ),
)
export class CreditsModule {
  static readonly feature: Feature = {
    aggregates: [creditAccount, creditTransfer, makeUpRulesOf],
    guards: [creditLots],
    projections: [creditLedger, creditNotes, creditTransfers, makeUpRulesRow],
    history: creditHistory,
    errors: creditErrors,
  };
}
