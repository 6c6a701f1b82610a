import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { OwnPaymentsController } from './own-payments.controller.js';
import { ListOwnPayments, PrintOwnReceipt } from './own-payments.queries.js';
import { receipt } from './receipt.js';
import { receiptIssuerStream } from './receipt-issuer.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { receiptMail, ReceiptMails } from './receipt-mails.service.js';
import { receiptErrors } from './receipts.api.js';
import { IssueReceipt, SendReceipt, SetReceiptIssuer } from './receipts.commands.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import {
  MonthSheetsController,
  ReceiptCodesController,
  ReceiptFilesController,
  ReceiptIssuerController,
  ReceiptsController,
} from './receipts.controller.js';
import { receiptNumbers } from './receipts.guard.js';
import { receiptHistory } from './receipts.history.js';
import { receiptIssuers, receipts } from './receipts.projection.js';
import {
  PrintReceipt,
  ShowReceiptHandler,
  ShowReceiptIssuer,
  VerifyReceiptHandler,
} from './receipts.queries.js';

/** Numbered receipts of receitas. */
@Module({
  controllers: [
    MonthSheetsController,
    ReceiptsController,
    ReceiptIssuerController,
    ReceiptCodesController,
    ReceiptFilesController,
    OwnPaymentsController,
  ],
  providers: [
    ReceiptLinks,
    ReceiptMails,
    IssueReceipt.Handler,
    SendReceipt.Handler,
    SetReceiptIssuer.Handler,
    PrintMonth.Handler,
    WriteCarneLeao.Handler,
    WriteCarneLeaoWeb.Handler,
    ShowReceiptHandler,
    PrintReceipt.Handler,
    VerifyReceiptHandler,
    ShowReceiptIssuer.Handler,
    ListOwnPayments.Handler,
    PrintOwnReceipt.Handler,
  ],
})
export class ReceiptsModule {
  static readonly feature: Feature = {
    aggregates: [receipt, receiptIssuerStream],
    guards: [receiptNumbers],
    projections: [receipts, receiptIssuers],
    history: receiptHistory,
    errors: receiptErrors,
    reactions: [receiptMail],
  };
}
