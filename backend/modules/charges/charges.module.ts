import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { charge } from './charge.js';
import { chargeClaims } from './charge-claims.guard.js';
import { chargeLinks } from './charge-links.guard.js';
import { chargeErrors } from './charges.api.js';
import {
  CancelCharge,
  ChangeCharge,
  ClaimPayment,
  IssueCharge,
  PromisePayment,
  RemovePixAccount,
  ReplaceChargeLink,
  RestoreCharge,
  SetPixAccount,
} from './charges.commands.js';
import { ChargesController, PaymentPageController, PixAccountController } from './charges.controller.js';
import { chargeHistory } from './charges.history.js';
import { chargePayments, charges, pixAccounts } from './charges.projection.js';
import { GetChargeHandler, ListChargesHandler } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
import { ShowPaymentPageHandler, ShowPixAccountHandler } from './payment-page.queries.js';
import { pixAccountStream } from './pix-account.js';
import { PayCharge, ReverseChargePayment } from './settlement.commands.js';

/** What students are asked to pay, and how it is settled. */
@Module({
  controllers: [ChargesController, PixAccountController, PaymentPageController],
  providers: [
    PaymentLinks,
    IssueCharge.Handler,
    ChangeCharge.Handler,
    CancelCharge.Handler,
    RestoreCharge.Handler,
    ReplaceChargeLink.Handler,
    ClaimPayment.Handler,
    PromisePayment.Handler,
    PayCharge.Handler,
    ReverseChargePayment.Handler,
    SetPixAccount.Handler,
    RemovePixAccount.Handler,
    ListChargesHandler,
    GetChargeHandler,
    ShowPaymentPageHandler,
    ShowPixAccountHandler,
  ],
})
export class ChargesModule {
  static readonly feature: Feature = {
    aggregates: [charge, pixAccountStream],
    guards: [chargeClaims, chargeLinks],
    projections: [charges, chargePayments, pixAccounts],
    history: chargeHistory,
    errors: chargeErrors,
  };
}
