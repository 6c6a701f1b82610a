import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { together, serve } from '../../platform/http/serve.js';
import { ownPaymentsApi } from './own-payments.api.js';
import { OwnPaymentsController } from './own-payments.controller.js';
import { ListOwnPayments, PrintOwnReceipt } from './own-payments.queries.js';
import { receipt } from './receipt.js';
import { receiptIssuerStream } from './receipt-issuer.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { receiptMail, ReceiptMails } from './receipt-mails.service.js';
import { receiptsApi, receiptIssuerApi, receiptErrors } from './receipts.api.js';
import { IssueReceipt, SendReceipt, SetReceiptIssuer } from './receipts.commands.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import {
  MonthSheetsController,
  ReceiptCodesController,
  ReceiptFilesController,
} from './receipts.controller.js';
import { receiptNumbers } from './receipts.guard.js';
import { receiptHistory } from './receipts.history.js';
import { receiptIssuers, receipts } from './receipts.projection.js';
import { ShowReceipt, ShowReceiptIssuer, PrintReceipt, VerifyReceiptHandler } from './receipts.queries.js';

/** Numbered receipts of receitas. */
@Module(
  together(
    serve(receiptsApi, { show: ShowReceipt, issue: IssueReceipt, send: SendReceipt }),
    serve(ownPaymentsApi, { list: ListOwnPayments }),
    serve(receiptIssuerApi, { show: ShowReceiptIssuer, set: SetReceiptIssuer }),
    {
      controllers: [
        MonthSheetsController,
        ReceiptCodesController,
        ReceiptFilesController,
        OwnPaymentsController,
      ],
      providers: [
        ReceiptLinks,
        ReceiptMails,
        PrintMonth.Handler,
        WriteCarneLeao.Handler,
        WriteCarneLeaoWeb.Handler,
        PrintReceipt.Handler,
        VerifyReceiptHandler,
        PrintOwnReceipt.Handler,
      ],
    },
  ),
)
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
