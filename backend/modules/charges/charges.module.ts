import { Module } from '@nestjs/common';
import type { Feature, OwnData } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { serve, together } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { arrivedPixApi } from './arrived-pix.api.js';
import { receivablesApi } from './receivables.api.js';
import { pixAccountApi } from './pix.api.js';
import { arrivedPix } from './arrived-pix.js';
import { monthlyBilling } from './billing.job.js';
import { charge } from './charge.js';
import { chargeTermsStream } from './charge-terms.js';
import { type ChargeTerms, chargeTermsApi, noTerms } from './charge-terms.api.js';
import { SetChargeTerms } from './charge-terms.commands.js';
import { chargeClaims, chargeLinks } from './charge-claims.guard.js';
import { chargesApi, ownChargesApi, chargeErrors } from './charges.api.js';
import {
  IssueCharge,
  CancelCharges,
  ChargeSessions,
  ReplaceChargeLink,
  ChangeCharge,
  CancelCharge,
  RestoreCharge,
  KeepPaid,
  PromisePayment,
  SetPixAccount,
  RemovePixAccount,
  ClaimOwnPayment,
  ClaimPayment,
  ReopenPix,
} from './charges.commands.js';
import { PaymentController, PaymentPageController } from './charges.controller.js';
import { chargeHistory, pixProviderHistory } from './charges.history.js';
import { chargesWhy } from './charges.why.js';
import {
  arrivedPixes,
  chargePayments,
  charges,
  chargeTermsRows,
  monthlyPlans,
  pixAccounts,
  pixHooks,
  billPayments,
} from './charges.projection.js';
import { ListCharges, GetCharge } from './charges.queries.js';
import { monthlyPlan } from './monthly-plan.js';
import { monthlyPlansApi, monthlyPlanErrors } from './monthly-plans.api.js';
import { BillMonth, SetMonthlyPlan, EndMonthlyPlan } from './monthly-plans.commands.js';
import { ShowMonthlyPlan } from './monthly-plans.queries.js';
import { planGrants } from './plan-grants.guard.js';
import { PaymentLinks } from './payment-links.service.js';
import { ShowPixAccount, ListOwnCharges, ShowPaymentPageHandler } from './payment-page.queries.js';
import { pixAccountStream } from './pix-account.js';
import { pixHookStream } from './pix-hook.js';
import { PixHooks } from './pix-hooks.service.js';
import { pixNoticesApi, pixNoticeErrors } from './pix-notices.api.js';
import { ReplacePixSecret, DecidePix, ReceivePix } from './pix-notices.commands.js';
import { ListUndecidedPix } from './pix-notices.queries.js';
import { ShowReceivables, ListDebtors, ListReminders } from './receivables.queries.js';
import { renewalsApi, renewalErrors, type RenewalState } from './renewals.api.js';
import {
  RenewWithPayment,
  RenewCredits,
  UndoRenewal,
  WaiveGrant,
  UndoPaidRenewal,
} from './renewals.commands.js';
import { NoteReminder, NoteSent } from './reminders.commands.js';
import { chargeReminders, ReminderMails, SendReminder } from './reminders.job.js';
import { PayCharge, ReverseChargePayment, RefundPayment } from './settlement.commands.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { CodeTurns } from './code-turns.service.js';
import { pixProviderApi, pixProviderErrors } from './pix-provider.api.js';
import { DisconnectPixProvider, ReconnectPixProvider, ConnectPixProvider } from './pix-payments.commands.js';
import { PixProviderController, PixHookController, PixNoticesController } from './pix-provider.controller.js';
import { pixCodes, pixProviders } from './pix-provider.projection.js';
import { ShowPixProvider } from './pix-provider.queries.js';
import { providerCode } from './provider-code.js';
import { codeTurns, dueCodeTurns, ProviderCodesJob, visitProvider } from './provider-codes.job.js';
import { ProviderCodes } from './provider-codes.service.js';
import { providerConnection } from './provider-connection.js';
import { billPayment } from './bill-payment.js';
import { billsApi } from './bills.api.js';
import { ClaimBill, PayBill, ReverseBillPayment } from './bills.commands.js';
import { ShowBill } from './bills.queries.js';
import { chargeEffects } from './charges.effects.js';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';

const ShowRenewal = defineQuery('ShowRenewal', async ({ read }, studentId: string): Promise<RenewalState> => {
  const [row] = await read(renewals({ studentId }));
  if (!row) throw new Problem('students.not_found');
  const { esperando, cobrancas } = row;
  return { esperando: esperando.map((one) => ({ ...one, em: new Date(one.em).toISOString() })), cobrancas };
});

const ShowChargeTerms = defineQuery('ShowChargeTerms', async ({ read }): Promise<ChargeTerms> => {
  const [row] = await read(chargeTerms({}));
  return row ?? noTerms;
});

const chargeTerms = statement((db) =>
  db
    .selectFrom('charge_terms')
    .select(['multa', 'juros', 'carencia_dias', 'desconto_valor', 'desconto_percentual', 'desconto_dias'])
    .compile(),
);

/** The grants come from the guard, which is never behind. */
const renewals = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  sql<RenewalState>`with open as (
    select id, plano_id, valor - pago as falta, vencimento, grant_id, creditos from charges
    where student_id = ${studentId}::uuid and plano_id is not null and status = 'aberta'
  )
  select
    coalesce((select json_agg(json_build_object('lot_id', g.lot_id, 'plano_id', g.plano_id, 'quantidade', g.quantidade,
      'em', g.em, 'cobranca', case when o.id is not null
        then json_build_object('id', o.id, 'falta', o.falta, 'vencimento', o.vencimento) end) order by g.em, g.lot_id)
      from plan_grants g left join open o on o.id = g.charge_id
      where g.student_id = ${studentId}::uuid and not g.paga and not g.dispensada), '[]') as esperando,
    coalesce((select json_agg(json_build_object('id', o.id, 'plano_id', o.plano_id, 'falta', o.falta,
      'vencimento', o.vencimento) order by o.vencimento, o.id)
      from open o where o.grant_id is null and o.creditos > 0), '[]') as cobrancas
  from students where id = ${studentId}::uuid and status <> 'removed'`.compile(db),
);

const chargesOwnData: OwnData = {
  trainer: {
    mensalidades: `select id as student_id, plano_id, valor, desde, ate, vence_dia, proximo_mes, ativo from monthly_plans order by id`,
    'termos-de-cobranca': `select multa, juros, carencia_dias, desconto_valor, desconto_percentual, desconto_dias from charge_terms`,
    'pagamentos-de-pagadores': `select b.id, b.payer_id as pagador_id, b.valor, b.data, b.metodo_pagamento, b.partes, b.desfeito, b.em
      from bill_payments b order by b.em, b.id`,
    'pix-recebidos': `select id, charge_id, valor, aplicado, falta, data, decidido from arrived_pix order by data, id`,
    'chave-pix': `select tipo, chave, nome, cidade, banco from pix_accounts`,
    'provedor-pix': `select servidor, com_certificado, desde from pix_providers`,
    'codigos-do-provedor': `select id as charge_id, txid, valor, expira_em, pix_copia_e_cola from pix_codes order by id`,
  },
  sheets: {
    cobrancas: `select c.id, c.student_id, a.nome as aluno, c.origem, c.descricao, c.valor, c.pago, c.vencimento, c.status,
        c.plano_id, c.session_id, c.emitida_em, c.prometida, c.entrada, c.devolver, (c.termos ->> 'multa')::int as multa, (c.termos ->> 'juros')::int as juros,
        (c.termos ->> 'carencia_dias')::int as carencia_dias, (c.termos ->> 'desconto_valor')::int as desconto_valor,
        (c.termos ->> 'desconto_percentual')::int as desconto_percentual, (c.termos ->> 'desconto_dias')::int as desconto_dias, c.pagamentos, c.lembretes, c.lot_id as lote_id, c.grant_id as lote_pago_depois
      from charges c left join students a on a.tenant_id = c.tenant_id and a.id = c.student_id
      order by c.vencimento, c.id`,
  },
  student: {
    mensalidade: `select p.nome as plano, m.valor, m.desde, m.ate, m.vence_dia, m.ativo as ativa
      from monthly_plans m left join plans p on p.tenant_id = m.tenant_id and p.id = m.plano_id where m.id = $1`,
    cobrancas: `select id, descricao, valor, pago, vencimento, status, emitida_em, entrada, devolver, termos, pagamentos
      from charges where student_id = $1 order by vencimento, id`,
  },
};

/**
 * Charges to students, their payment, and the Pix codes that a provider makes for them.
 *
 * One payment grants a plan's credits once. A renewal without payment (`sem_pagamento`) waits for its money, in the guard
 * `plan_grants`. Whatever charges the plan of that student next (by hand, each month, or with a payment in the sheet of
 * renewals) is issued for that grant (`grant_id`) and grants nothing; a charge that was open before becomes one for it
 * (`ChargeGrantLinked`). Cancelling or refunding the charge lets the grant wait again, undoing the renewal makes the charge
 * grant again, and the trainer may waive the payment.
 *
 * A charge is settled in one transaction: the receita with its allocations, the credits that were bought, and the charge's
 * payment. Undoing a payment undoes all three; a receita that pays a charge can only be reversed there. A refund reverses the
 * receita and records the kept part again on its date; the charge then has that amount, and the chosen number of credits is
 * taken back. The guard `charge-claims` allows one charge only for each session, receita, provider's `txid` and student's
 * reminder of a day. Of a payment link only the hash is stored. The unpaid charge of a session that is reopened, deleted,
 * settled otherwise or given to another student is cancelled with it, and comes back when that is undone
 * (`session-charge.commands.ts`, claim `left:`). A cancellation with a fee issues its charge in the same command, due after
 * three days as those issued by hand, together with the session's value where no credit paid it; cancelling that charge by hand
 * forgives the fee. Fees from before that stay under "Sessões a cobrar". A provider's webhook (`/pix/v1/{tenant}`, the API Pix,
 * HMAC of the bytes) is recorded once per end-to-end id. It is the payment that was recorded by hand before it, if charge,
 * amount and method are the same and the dates at most five days apart, and a payment by hand takes a waiting Pix likewise
 * (`pix-payments.commands.ts`). What is no payment of a charge is "a decidir": it is counted nowhere, and the trainer is
 * notified; so is a Pix whose payment was undone. Being overdue follows from the date and is not an event.
 *
 * The page of a payment link (`/pagar/{token}`) is written by the server (`payment-page.html.ts`) and can be read and paid
 * without a script. Its script (`frontend/booking/payment.ts`) asks every 1.5 s whether `versao` changed, and then shows the page
 * again; it does not ask while the page is hidden, and less often after ten minutes.
 *
 * Fine, interest and early discount (`charge-terms`) are the trainer's, and a charge has those of the day on which it was issued; a fee
 * for a late cancellation has none. What pays a charge on a day is `owedOn`, by which pages, texts, Pix codes, bank lines and commands
 * go. Partial payments pay the amount; the payment of what is left settles it, with what the day adds or takes, and what is added
 * becomes a part of the amount (`ChargePaid`), so that previsto has it once it is received. Whoever pays the amount alone on a late
 * day is not asked for the rest, which the payment says (`dispensado`): a code may be older than the day, and the trainer may waive.
 *
 * The charge of a booking on the public page (`entrada`) is asked for by the booking's page alone until its first part is paid, or the
 * trainer confirms the booking without it: neither reminders nor the student's own page ask for it before. It follows its session
 * (`followBooking`), and says what is to be given back.
 *
 * What a payer owes is no charge of its own: it is the sum of `owedOn` over the open charges of all their students (`bills.queries.ts`),
 * with one page, one Pix code and one message. A payment of it is shared out, the earliest due date first (`PayBill`, `BillPaid`): each
 * charge has its payment and receita, and all are undone together. A Pix with the payer's `txid` is shared out likewise.
 *
 * Several sessions of a student are charged by one command (`ChargeSessions`), each with a charge of its own, all or none.
 *
 * Plans are billed by month, quarter, half-year or year: the event of a billed period names the next month to be billed, so a job that
 * runs twice, or late, creates each charge once. Changes apply from the next cycle: months that are overdue for billing are billed first, in the same command. The agreement follows
 * the student's plan (`decideFollow`): `POST /students`, and `PATCH /students/:id` with another plan, require `mensalidade` with
 * a monthly plan that has a price (422 `charges.no_terms`), unless the student has an agreement for it; leaving the plan ends
 * its agreement. An undo names the agreement that it gives back. An agreement that was never billed does not keep a student from
 * being removed. `previsto` is what was charged for the month plus what is still to be billed in it by agreements. A monthly
 * plan without one (from before, from a file, or a package that became monthly) counts nowhere, and the student's page says so.
 * Reminders (3 days before, on the day, 3 and 7 days after) pause until the day of a promise and for three days after "Já
 * paguei", and start again with a new due date. The jobs for reminders, plans and expenses query one function each
 * (`tenants_with_reminders_due`, `…_plans_due`, `…_expenses_due`) for the tenants concerned.
 *
 * Pix codes of a provider (`pix-provider`): a trainer may connect an account at a bank or provider with the API Pix (OAuth 2
 * client credentials by `openid-client`, and a client certificate where required). The credentials are in an event, encrypted
 * with the trainer's key, and in no read table, answer, log or copy. A run (`provider-codes.job.ts`) compares the charge (open,
 * amount, due date, key) with the provider's code and performs the necessary steps one after another: `PUT`, `PATCH` or removal
 * of `/cob/{txid}`. It can run any number of times and be interrupted: the `txid` follows from the charge and the number of its
 * ended codes, and an existing code is adopted or changed. Each run first asks `GET /cob/{txid}`: a payment whose notice was
 * lost is settled by the webhook's command (`ReceivePix`), once per end-to-end id. A reaction to events of charges, keys and
 * connections requests a run (`pix_code_turns`). The job `pix-codes-due` repeats runs: every ten minutes at first, four times a
 * day in the end; failed ones after a minute and then less often, for all charges of a tenant together if the provider refuses
 * access. Without a code, and while the provider fails, the code of the trainer's own key is shown: no request waits for a
 * provider. After a partial payment the rest gets a new code. Answers are limited to 512 kB and ten seconds, redirects are not
 * followed, and addresses are checked as those of other calendars.
 */
@Module(
  together(
    serve(arrivedPixApi, { reopen: ReopenPix }),
    serve(chargesApi, {
      issue: IssueCharge,
      issueForSessions: ChargeSessions,
      cancelSeveral: CancelCharges,
      replaceLink: ReplaceChargeLink,
      list: ListCharges,
      get: GetCharge,
      change: ChangeCharge,
      cancel: CancelCharge,
      cancelPrice: definePrice<[string]>('PriceCancelCharge', CancelCharge),
      restore: RestoreCharge,
      pay: PayCharge,
      reverse: ReverseChargePayment,
      reversePrice: definePrice<[string, string]>('PriceReverseChargePayment', ReverseChargePayment),
      restorePrice: definePrice<[string]>('PriceRestoreCharge', RestoreCharge),
      refund: RefundPayment,
      promise: PromisePayment,
      keep: KeepPaid,
      send: NoteSent,
      remind: NoteReminder,
    }),
    serve(billsApi, {
      show: ShowBill,
      pay: PayBill,
      reverse: ReverseBillPayment,
      reversePrice: definePrice<[string, string]>('PriceReverseBillPayment', ReverseBillPayment),
    }),
    serve(chargeTermsApi, { show: ShowChargeTerms, set: SetChargeTerms }),
    serve(monthlyPlansApi, { set: SetMonthlyPlan, end: EndMonthlyPlan, show: ShowMonthlyPlan }),
    serve(receivablesApi, { show: ShowReceivables, debtors: ListDebtors, reminders: ListReminders }),
    serve(pixAccountApi, { show: ShowPixAccount, set: SetPixAccount, remove: RemovePixAccount }),
    serve(ownChargesApi, { list: ListOwnCharges, claim: ClaimOwnPayment }),
    serve(pixNoticesApi, { replaceSecret: ReplacePixSecret, list: ListUndecidedPix, decide: DecidePix }),
    serve(renewalsApi, {
      pay: RenewWithPayment,
      show: ShowRenewal,
      renew: RenewCredits,
      undo: UndoRenewal,
      undoPrice: definePrice<[string, string]>('PriceUndoRenewal', UndoRenewal),
      waive: WaiveGrant,
      undoPaid: UndoPaidRenewal,
    }),
    serve(pixProviderApi, {
      show: ShowPixProvider,
      disconnect: DisconnectPixProvider,
      reconnect: ReconnectPixProvider,
    }),
    {
      controllers: [
        PixProviderController,
        PaymentController,
        PaymentPageController,
        PixHookController,
        PixNoticesController,
      ],
      providers: [
        ConnectPixProvider.Handler,
        ApiPixClient,
        CodeTurns,
        ProviderCodes,
        ProviderCodesJob,
        PaymentLinks,
        PixHooks,
        ReminderMails,
        chargeReminders.Handler,
        SendReminder.Handler,
        monthlyBilling.Handler,
        BillMonth.Handler,
        ReceivePix.Handler,
        ClaimPayment.Handler,
        ClaimBill.Handler,
        ShowPaymentPageHandler,
      ],
    },
  ),
)
export class ChargesModule {
  static readonly feature: Feature = {
    aggregates: [
      charge,
      billPayment,
      chargeTermsStream,
      pixAccountStream,
      pixHookStream,
      arrivedPix,
      monthlyPlan,
      providerConnection,
      providerCode,
    ],
    guards: [chargeClaims, chargeLinks, planGrants],
    failures: [pageFailures('/pagar', () => DEAD_LINK)],
    projections: [
      charges,
      chargePayments,
      billPayments,
      chargeTermsRows,
      pixAccounts,
      pixHooks,
      arrivedPixes,
      monthlyPlans,
      pixProviders,
      pixCodes,
    ],
    history: { ...chargeHistory, ...pixProviderHistory },
    effects: chargeEffects,
    why: chargesWhy,
    ownData: chargesOwnData,
    errors: {
      ...chargeErrors,
      ...pixNoticeErrors,
      ...monthlyPlanErrors,
      ...renewalErrors,
      ...pixProviderErrors,
    },
    jobs: [chargeReminders, monthlyBilling, visitProvider, dueCodeTurns],
    reactions: [codeTurns],
    // Rows of closed tenants.
    purges: ['pix_code_turns', 'pix_provider_checks'].map(
      (table) =>
        `delete from ${table} b where not exists (select from tenants t where t.tenant_id = b.tenant_id)`,
    ),
  };
}
