import { Module } from '@nestjs/common';
import type { Feature, OwnData } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { makeUpRulesApi, defaultMakeUpRules, type MakeUpRules } from './make-up.api.js';
import { definePrice } from '../audit/price.queries.js';
import { creditAccount } from './credit-account.js';
import { creditLots } from './credit-lots.guard.js';
import { creditListsApi, creditsApi, creditTransfersApi, creditErrors } from './credits.api.js';
import { AdjustCredits, ConsumeCredit, SetMakeUpRules } from './credits.commands.js';
import { creditTransfer } from './credit-transfer.js';
import { TransferCredits, UndoCreditTransfer } from './credit-transfer.commands.js';
import { creditHistory } from './credits.history.js';
import { creditLedger, creditNotes, creditTransfers, makeUpRulesRow } from './credits.projection.js';
import { ListLowCredits, GetCreditStatement } from './credits.queries.js';
import { creditsWhy } from './credits.why.js';
import { makeUpRulesOf } from './make-up.js';
import { OwnCreditsController } from './own-credits.controller.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';
import { creditEffects } from './credits.effects.js';

const creditsOwnData: OwnData = {
  trainer: {
    'lotes-de-creditos': `select lot_id as id, student_id, plano_id, quantidade, restante, criado_em, expira_em,
        session_id as reposicao_de, origem as reposicao_do_lote
      from credit_lot_balances order by position, lot_id`,
    'transferencias-de-creditos': `select t.id, t.de as de_aluno, t.para as para_aluno, t.quantidade, n.motivo, t.desfeita from credit_transfers t
      left join credit_notes n on n.tenant_id = t.tenant_id and n.id = t.id order by t.id`,
    reposicoes: `select ativo, teto_percent, prazo_meses from make_up_rules`,
  },
  sheets: {
    creditos: `select e.entry_id as id, e.student_id, a.nome as aluno, e.em, e.tipo, e.quantidade, e.causa, n.motivo,
        e.lot_id as lote_id, e.plano_id, e.session_id
      from credit_entries e left join students a on a.tenant_id = e.tenant_id and a.id = e.student_id
      left join credit_notes n on n.tenant_id = e.tenant_id and n.id = e.entry_id order by e.position, e.entry_id, e.lot_id`,
  },
  student: {
    creditos: `select e.entry_id as id, e.em, e.tipo, e.quantidade, e.causa, p.nome as plano, e.session_id
      from credit_entries e left join plans p on p.tenant_id = e.tenant_id and p.id = e.plano_id
      where e.student_id = $1 order by e.position, e.entry_id, e.lot_id`,
    'lotes-de-creditos': `select l.lot_id as id, p.nome as plano, l.quantidade, l.restante, l.criado_em, l.expira_em,
        l.session_id as reposicao_de
      from credit_lot_balances l left join plans p on p.tenant_id = l.tenant_id and p.id = l.plano_id
      where l.student_id = $1 order by l.position, l.lot_id`,
  },
};

const ShowMakeUpRules = defineQuery('ShowMakeUpRules', async ({ read }): Promise<MakeUpRules> => {
  const [row] = await read(rules({}));
  return row ?? defaultMakeUpRules;
});

const rules = statement((db) =>
  db.selectFrom('make_up_rules').select(['ativo', 'teto_percent', 'prazo_meses']).compile(),
);

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
 * taken in the order of use, keep their expiry, and exclude make-ups. It can be undone while none of the moved credits was used, also from
 * the statement.
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
    serve(creditTransfersApi, {
      undo: UndoCreditTransfer,
      undoPrice: definePrice<[string]>('PriceUndoTransfer', UndoCreditTransfer),
    }),
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
