import { Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { STUDENT_FILES } from '../../platform/http/calls.api.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/http/csv-file.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { monthParams } from '../finance/finance.api.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import { PrintOwnReceipt } from './own-payments.queries.js';
import { ReceiptLinks } from './receipt-links.service.js';
import {
  receiptFileParams,
  webFileParams,
  type WebFileParams,
  webFileQuery,
  type WebFileQuery,
} from './receipts.api.js';
import { PrintReceipt } from './receipts.queries.js';

const MEDIA = 'application/pdf';
const FILES_BY_ADDRESS = { name: 'receipt-files', points: 60, seconds: 600 };
const FILES_BY_RECEIPT = { name: 'receipt-file', points: 60, seconds: 600 };
/** Limits reports, since each request lays out the month again. */
const MONTHS_PRINTED = { name: 'month-reports', points: 10, seconds: 60 };

function pdf(name: string, file: Buffer): StreamableFile {
  return new StreamableFile(file, {
    type: MEDIA,
    disposition: `inline; filename="${name}"`,
    length: file.length,
  });
}

/** A month's files for the accountant. */
@Controller('finance/months/:month')
export class MonthSheetsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly limits: RateLimits,
  ) {}

  @Get('carne-leao')
  @Route({
    summary: 'Baixa as receitas do mês para o Carnê-Leão, em CSV',
    tags: ['receipts'],
    params: monthParams,
    media: CSV_MEDIA,
  })
  async carneLeao(@Ctx() context: CommandContext, @Param('month') month: string) {
    return csvFile(`carne-leao-${month}.csv`, await this.queries.execute(new WriteCarneLeao(context, month)));
  }

  @Get('carne-leao-web/:file')
  @Route({
    summary: 'Baixa o mês no formato que o Carnê-Leão Web da Receita importa',
    tags: ['receipts'],
    params: webFileParams,
    query: webFileQuery,
    media: CSV_MEDIA,
  })
  async carneLeaoWeb(
    @Ctx() context: CommandContext,
    @Param() { month, file }: WebFileParams,
    @Query() { parte }: WebFileQuery,
  ) {
    const content = await this.queries.execute(new WriteCarneLeaoWeb(context, month, file, parte));
    return csvFile(`carne-leao-web-${file}-${month}-${parte}.csv`, [content]);
  }

  @Get('report')
  @Route({
    summary: 'Baixa o mês para o contador, em PDF',
    tags: ['receipts'],
    params: monthParams,
    media: MEDIA,
  })
  async report(
    @Ctx() context: CommandContext,
    @Param('month') month: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.limits.consume(MONTHS_PRINTED, context.tenantId, reply);
    return pdf(`financeiro-${month}.pdf`, await this.queries.execute(new PrintMonth(context, month)));
  }
}

/** The receipt's file at its secret address, for the payer. */
@Controller('recibo')
export class ReceiptFilesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly links: ReceiptLinks,
    private readonly limits: RateLimits,
  ) {}

  @Get(':file')
  @RateLimit(FILES_BY_ADDRESS)
  @Route({
    summary: 'Mostra um recibo em PDF a quem tem o link',
    tags: ['receipts'],
    public: true,
    params: receiptFileParams,
    media: MEDIA,
  })
  async read(
    @Param('file') name: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const token = /^([\w-]{32})\.pdf$/.exec(name)?.[1];
    if (token === undefined) throw new Problem('not_found');
    const { tenantId, transactionId, timezone } = await this.links.find(token);
    await this.limits.consume(FILES_BY_RECEIPT, transactionId, reply);
    void reply.header('Cache-Control', 'private, no-cache').header('X-Robots-Tag', 'noindex');
    const { numero, file } = await this.queries.execute(
      new PrintReceipt(nobodyOf(tenantId, timezone, request.id), transactionId),
    );
    return pdf(`recibo-${numero}.pdf`, file);
  }
}

/** A student's own payments and receipts. */
@Controller('student/payments')
export class OwnPaymentsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/receipt')
  @RateLimit(STUDENT_FILES)
  @Route({
    summary: 'Baixa o recibo de um pagamento do próprio aluno',
    roles: ['aluno'],
    params: idParams,
    media: MEDIA,
  })
  async receipt(@Ctx() context: CommandContext, @Param('id') id: string): Promise<StreamableFile> {
    const { numero, file } = await this.queries.execute(new PrintOwnReceipt(context, id));
    const disposition = `attachment; filename="recibo-${numero}.pdf"`;
    return new StreamableFile(file, { type: MEDIA, disposition, length: file.length });
  }
}
