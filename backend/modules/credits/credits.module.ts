import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { makeUpRulesApi } from './make-up.api.js';
import { creditAccount } from './credit-account.js';
import { creditLots } from './credit-lots.guard.js';
import { creditListsApi, creditsApi, creditTransfersApi, creditErrors } from './credits.api.js';
import { AdjustCredits, ConsumeCredit, SetMakeUpRules } from './credits.commands.js';
import { creditTransfer } from './credit-transfer.js';
import { TransferCredits, UndoCreditTransfer } from './credit-transfer.commands.js';
import { creditHistory } from './credits.history.js';
import { creditsOwnData } from './credits.own-data.js';
import { creditLedger, creditNotes, creditTransfers, makeUpRulesRow } from './credits.projection.js';
import { ListLowCredits, GetCreditStatement } from './credits.queries.js';
import { creditsWhy } from './credits.why.js';
import { makeUpRulesOf } from './make-up.js';
import { ShowMakeUpRules } from './make-up.queries.js';
import { OwnCreditsController } from './own-credits.controller.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';
import { creditEffects } from './credits.effects.js';

/**
 * The last day of credits follows from the days on which a student is away (`deadlines.ts`): each day of a pause or a vacation
 * that they live through, from their purchase on, moves it by one, once. A grant counts the days away that are known by then;
 * what changes them moves all running lots by the difference (`decideMove`).
 *
 * A make-up (reposição; `make-up.ts` in `credits`): when a student cancels in time and the trainer gives make-ups
 * (`MakeUpRulesSet`), the credit moves from its lot to a separate lot that expires later; the balance is unchanged. The number
 * is limited per month of the session. Make-ups are used first, and moved back if the session is scheduled again before they
 * were used.
 *
 * A credit transfer (`credit-transfer.ts`) records entries in both accounts and a stream of its own, in one command. Credits are
 * taken in the order of use, keep their expiry, and exclude make-ups. It can be undone while none of the moved credits was used.
 * Each line of a statement says why it is there (`credits.why.ts`).
 */
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
    {
      controllers: [OwnCreditsController],
      providers: [GetOwnStatement.Handler, WriteOwnStatement.Handler, PrintOwnStatement.Handler],
    },
  ),
)
export class CreditsModule {
  static readonly feature: Feature = {
    aggregates: [creditAccount, creditTransfer, makeUpRulesOf],
    guards: [creditLots],
    projections: [creditLedger, creditNotes, creditTransfers, makeUpRulesRow],
    history: creditHistory,
    effects: creditEffects,
    why: creditsWhy,
    ownData: creditsOwnData,
    errors: creditErrors,
  };
}
