import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { arrivedPixApi } from './arrived-pix.api.js';
import { receivablesApi } from './receivables.api.js';
import { pixAccountApi } from './pix.api.js';
import { ReopenPix } from './arrived-pix.commands.js';
import { arrivedPix } from './arrived-pix.js';
import { BillingJob, monthlyBilling } from './billing.job.js';
import { charge } from './charge.js';
import { chargeClaims } from './charge-claims.guard.js';
import { chargeLinks } from './charge-links.guard.js';
import { chargesApi, ownChargesApi, chargeErrors } from './charges.api.js';
import {
  IssueCharge,
  ReplaceChargeLink,
  ChangeCharge,
  CancelCharge,
  RestoreCharge,
  PromisePayment,
  SetPixAccount,
  RemovePixAccount,
  ClaimOwnPayment,
  ClaimPayment,
} from './charges.commands.js';
import { PaymentPageController } from './charges.controller.js';
import { chargeHistory } from './charges.history.js';
import {
  arrivedPixes,
  chargePayments,
  charges,
  monthlyPlans,
  pixAccounts,
  pixHooks,
} from './charges.projection.js';
import { ListCharges, GetCharge } from './charges.queries.js';
import { monthlyPlan } from './monthly-plan.js';
import { monthlyPlansApi, monthlyPlanErrors } from './monthly-plans.api.js';
import { SetMonthlyPlan, EndMonthlyPlan } from './monthly-plans.commands.js';
import { ShowMonthlyPlan } from './monthly-plans.queries.js';
import { planGrants } from './plan-grants.guard.js';
import { PaymentLinks } from './payment-links.service.js';
import { ShowPixAccount, ListOwnCharges, ShowPaymentPageHandler } from './payment-page.queries.js';
import { pixAccountStream } from './pix-account.js';
import { pixHookStream } from './pix-hook.js';
import { PixHooks } from './pix-hooks.service.js';
import { pixNoticesApi, pixNoticeErrors } from './pix-notices.api.js';
import { ReplacePixSecret, DecidePix, ReceivePix } from './pix-notices.commands.js';
import { PixHookController, PixNoticesController } from './pix-notices.controller.js';
import { ListUndecidedPix } from './pix-notices.queries.js';
import { ShowReceivables, ListDebtors, ListReminders } from './receivables.queries.js';
import { renewalsApi, renewalErrors } from './renewals.api.js';
import {
  RenewWithPayment,
  RenewCredits,
  UndoRenewal,
  WaiveGrant,
  UndoPaidRenewal,
} from './renewals.commands.js';
import { ShowRenewal } from './renewals.queries.js';
import { NoteReminder } from './reminders.commands.js';
import { chargeReminders, ReminderJob } from './reminders.job.js';
import { PayCharge, ReverseChargePayment, RefundPayment } from './settlement.commands.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { CodeTurns } from './code-turns.service.js';
import { pixProviderApi, pixProviderErrors } from './pix-provider.api.js';
import { DisconnectPixProvider, ReconnectPixProvider, ConnectPixProvider } from './pix-provider.commands.js';
import { PixProviderController } from './pix-provider.controller.js';
import { pixProviderHistory } from './pix-provider.history.js';
import { pixCodes, pixProviders } from './pix-provider.projection.js';
import { ShowPixProvider } from './pix-provider.queries.js';
import { providerCode } from './provider-code.js';
import { codeTurns, dueCodeTurns, ProviderCodesJob, visitProvider } from './provider-codes.job.js';
import { providerConnection } from './provider-connection.js';

/** Charges to students, their payment, and the Pix codes that a provider makes for them. */
@Module(
  together(
    serve(arrivedPixApi, { reopen: ReopenPix }),
    serve(chargesApi, {
      issue: IssueCharge,
      replaceLink: ReplaceChargeLink,
      list: ListCharges,
      get: GetCharge,
      change: ChangeCharge,
      cancel: CancelCharge,
      restore: RestoreCharge,
      pay: PayCharge,
      reverse: ReverseChargePayment,
      refund: RefundPayment,
      promise: PromisePayment,
      remind: NoteReminder,
    }),
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
      waive: WaiveGrant,
      undoPaid: UndoPaidRenewal,
    }),
    serve(pixProviderApi, {
      show: ShowPixProvider,
      disconnect: DisconnectPixProvider,
      reconnect: ReconnectPixProvider,
    }),
    {
      controllers: [PixProviderController, PaymentPageController, PixHookController, PixNoticesController],
      providers: [
        ConnectPixProvider.Handler,
        ApiPixClient,
        CodeTurns,
        ProviderCodesJob,
        PaymentLinks,
        PixHooks,
        ReminderJob,
        BillingJob,
        ReceivePix.Handler,
        ClaimPayment.Handler,
        ShowPaymentPageHandler,
      ],
    },
  ),
)
export class ChargesModule {
  static readonly feature: Feature = {
    aggregates: [
      charge,
      pixAccountStream,
      pixHookStream,
      arrivedPix,
      monthlyPlan,
      providerConnection,
      providerCode,
    ],
    guards: [chargeClaims, chargeLinks, planGrants],
    projections: [
      charges,
      chargePayments,
      pixAccounts,
      pixHooks,
      arrivedPixes,
      monthlyPlans,
      pixProviders,
      pixCodes,
    ],
    history: { ...chargeHistory, ...pixProviderHistory },
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
