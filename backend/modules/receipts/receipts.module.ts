import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { together, serve } from '../../platform/http/serve.js';
import { ownPaymentsApi } from './own-payments.api.js';
import { OwnPaymentsController } from './own-payments.controller.js';
import { ListOwnPayments, ListPaymentsOfStudent, PrintOwnReceipt } from './own-payments.queries.js';
import { receipt } from './receipt.js';
import { receiptIssuerStream } from './receipt-issuer.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { receiptMail, ReceiptMails } from './receipt-mails.service.js';
import { receiptsApi, receiptIssuerApi, receiptErrors } from './receipts.api.js';
import { IssueReceipt, SendReceipt, SetReceiptIssuer } from './receipts.commands.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import { MonthSheetsController, ReceiptFilesController } from './receipts.controller.js';
import { receiptNumbers } from './receipts.guard.js';
import { receiptHistory } from './receipts.history.js';
import { receiptsOwnData } from './receipts.own-data.js';
import { receiptIssuers, receipts } from './receipts.projection.js';
import { ShowReceipt, ShowReceiptIssuer, PrintReceipt, VerifyReceiptHandler } from './receipts.queries.js';

/**
 * Numbered receipts of receitas.
 *
 * Receipts (`receipts`) have the id of their receita, so there is at most one, and the next number of the guard
 * `receipt_numbers`, which is read under the tenant's lock: numbers have no gaps. The printed data is in the event (the payer
 * under a retention key) and never changes; reversing the receita cancels the receipt. The PDF is generated when it is
 * downloaded (`/recibo/{token}.pdf`). Receipts, statements, months and signed copies are drawn in one thread
 * (`pdf-writer.service.ts`), once where the input is the same. The month's receitas with their payers are a CSV for the
 * Carnê-Leão; receitas and deductible despesas are also two files in the layout that the Carnê-Leão Web imports
 * (`carne-leao-web.ts`), without what it does not take: expenses that the standard plan of accounts has no account for.
 */
@Module(
  together(
    serve(receiptsApi, { show: ShowReceipt, issue: IssueReceipt, send: SendReceipt }),
    serve(ownPaymentsApi, { ofStudent: ListPaymentsOfStudent, list: ListOwnPayments }),
    serve(receiptIssuerApi, { show: ShowReceiptIssuer, set: SetReceiptIssuer }),
    {
      controllers: [MonthSheetsController, ReceiptFilesController, OwnPaymentsController],
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
    ownData: receiptsOwnData,
    errors: receiptErrors,
    failures: pageFailures('/recibo', () => DEAD_LINK),
    reactions: [receiptMail],
  };
}
