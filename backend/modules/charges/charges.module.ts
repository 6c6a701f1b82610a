import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { ReopenPix } from './arrived-pix.commands.js';
import { ArrivedPixController } from './arrived-pix.controller.js';
import { arrivedPix } from './arrived-pix.js';
import { BillingJob, monthlyBilling } from './billing.job.js';
import { charge } from './charge.js';
import { chargeClaims } from './charge-claims.guard.js';
import { chargeLinks } from './charge-links.guard.js';
import { chargeErrors } from './charges.api.js';
import {
  CancelCharge,
  ChangeCharge,
  ClaimOwnPayment,
  ClaimPayment,
  IssueCharge,
  PromisePayment,
  RemovePixAccount,
  ReplaceChargeLink,
  RestoreCharge,
  SetPixAccount,
} from './charges.commands.js';
import {
  ChargesController,
  MonthlyPlansController,
  PaymentPageController,
  PixAccountController,
  ReceivablesController,
} from './charges.controller.js';
import { chargeHistory } from './charges.history.js';
import {
  arrivedPixes,
  chargePayments,
  charges,
  monthlyPlans,
  pixAccounts,
  pixHooks,
} from './charges.projection.js';
import { GetCharge, ListCharges, MakeChargeLinksHandler } from './charges.queries.js';
import { monthlyPlan } from './monthly-plan.js';
import { monthlyPlanErrors } from './monthly-plans.api.js';
import { EndMonthlyPlan, SetMonthlyPlan } from './monthly-plans.commands.js';
import { ShowMonthlyPlan } from './monthly-plans.queries.js';
import { planGrants } from './plan-grants.guard.js';
import { PaymentLinks } from './payment-links.service.js';
import { OwnChargesController } from './own-charges.controller.js';
import { ListOwnCharges, ShowPaymentPageHandler, ShowPixAccount } from './payment-page.queries.js';
import { pixAccountStream } from './pix-account.js';
import { pixHookStream } from './pix-hook.js';
import { PixHooks } from './pix-hooks.service.js';
import { pixNoticeErrors } from './pix-notices.api.js';
import { DecidePix, ReceivePix, ReplacePixSecret } from './pix-notices.commands.js';
import { PixHookController, PixNoticesController } from './pix-notices.controller.js';
import { ListUndecidedPix } from './pix-notices.queries.js';
import { ListDebtors, ListReminders, ShowReceivables } from './receivables.queries.js';
import { renewalErrors } from './renewals.api.js';
import {
  RenewCredits,
  RenewWithPayment,
  UndoPaidRenewal,
  UndoRenewal,
  WaiveGrant,
} from './renewals.commands.js';
import { RenewalsController } from './renewals.controller.js';
import { ShowRenewal } from './renewals.queries.js';
import { NoteReminder } from './reminders.commands.js';
import { chargeReminders, ReminderJob } from './reminders.job.js';
import { PayCharge, RefundPayment, ReverseChargePayment } from './settlement.commands.js';

/** Charges to students and their payment. */
@Module({
  controllers: [
    ChargesController,
    MonthlyPlansController,
    ReceivablesController,
    PixAccountController,
    PaymentPageController,
    OwnChargesController,
    PixHookController,
    PixNoticesController,
    ArrivedPixController,
    RenewalsController,
  ],
  providers: [
    PaymentLinks,
    PixHooks,
    ReminderJob,
    BillingJob,
    SetMonthlyPlan.Handler,
    EndMonthlyPlan.Handler,
    ShowMonthlyPlan.Handler,
    RenewCredits.Handler,
    RenewWithPayment.Handler,
    UndoPaidRenewal.Handler,
    UndoRenewal.Handler,
    WaiveGrant.Handler,
    ShowRenewal.Handler,
    ReceivePix.Handler,
    DecidePix.Handler,
    ReopenPix.Handler,
    ReplacePixSecret.Handler,
    NoteReminder.Handler,
    ListUndecidedPix.Handler,
    ShowReceivables.Handler,
    ListDebtors.Handler,
    ListReminders.Handler,
    IssueCharge.Handler,
    ChangeCharge.Handler,
    CancelCharge.Handler,
    RestoreCharge.Handler,
    ReplaceChargeLink.Handler,
    ClaimPayment.Handler,
    ClaimOwnPayment.Handler,
    PromisePayment.Handler,
    PayCharge.Handler,
    ReverseChargePayment.Handler,
    RefundPayment.Handler,
    SetPixAccount.Handler,
    RemovePixAccount.Handler,
    ListCharges.Handler,
    MakeChargeLinksHandler,
    GetCharge.Handler,
    ShowPaymentPageHandler,
    ListOwnCharges.Handler,
    ShowPixAccount.Handler,
  ],
})
export class ChargesModule {
  static readonly feature: Feature = {
    aggregates: [charge, pixAccountStream, pixHookStream, arrivedPix, monthlyPlan],
    guards: [chargeClaims, chargeLinks, planGrants],
    projections: [charges, chargePayments, pixAccounts, pixHooks, arrivedPixes, monthlyPlans],
    history: chargeHistory,
    errors: { ...chargeErrors, ...pixNoticeErrors, ...monthlyPlanErrors, ...renewalErrors },
    jobs: [chargeReminders, monthlyBilling],
  };
}
