import { Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { type AtMoment, atMoment } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/csv.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { monthParams } from '../finance/finance.api.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { receiptPage } from './receipt-page.html.js';
import {
  receiptLinkParams,
  webFileParams,
  type WebFileParams,
  webFileQuery,
  type WebFileQuery,
} from './receipts.api.js';
import { PrintReceipt, ReadReceipt } from './receipts.queries.js';

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
    query: atMoment,
    media: CSV_MEDIA,
  })
  async carneLeao(@Ctx() context: CommandContext, @Param('month') month: string, @Query() at: AtMoment) {
    const rows = await this.queries.execute(new WriteCarneLeao(context, month, at));
    return csvFile(`carne-leao-${month}.csv`, rows);
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
    @Query() part: WebFileQuery,
  ) {
    const content = await this.queries.execute(new WriteCarneLeaoWeb(context, month, file, part));
    return csvFile(`carne-leao-web-${file}-${month}-${part.parte}.csv`, [content]);
  }

  @Get('report')
  @Route({
    summary: 'Baixa o mês para o contador, em PDF',
    tags: ['receipts'],
    params: monthParams,
    query: atMoment,
    media: MEDIA,
  })
  async report(
    @Ctx() context: CommandContext,
    @Param('month') month: string,
    @Query() at: AtMoment,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.limits.consume(MONTHS_PRINTED, context.tenantId, reply);
    return pdf(`financeiro-${month}.pdf`, await this.queries.execute(new PrintMonth(context, month, at)));
  }
}

/** A receipt's page and file, for everybody with its link. */
@Controller('recibo')
export class ReceiptPageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly links: ReceiptLinks,
    private readonly limits: RateLimits,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(OPENINGS)
  @Route({
    summary: 'Abre a página de um recibo',
    tags: ['receipts'],
    public: true,
    params: receiptLinkParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { transactionId, context } = await this.found(token, request);
    const receipt = await this.queries.execute(new ReadReceipt(context, transactionId));
    const path = this.links.pathOf(transactionId);
    return this.pages.send(reply, receiptPage({ receipt, path, siteUrl: this.pages.siteUrl }));
  }

  @Get(':token.pdf')
  @RateLimit(FILES_BY_ADDRESS)
  @Route({
    summary: 'Baixa um recibo em PDF',
    tags: ['receipts'],
    public: true,
    params: receiptLinkParams,
    query: anyQuery,
    media: MEDIA,
  })
  async read(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { transactionId, context } = await this.found(token, request);
    await this.limits.consume(FILES_BY_RECEIPT, transactionId, reply);
    void reply.header('Cache-Control', 'private, no-cache').header('X-Robots-Tag', 'noindex');
    const { numero, file } = await this.queries.execute(new PrintReceipt(context, transactionId));
    return pdf(`recibo-${numero}.pdf`, file);
  }

  private async found(token: string, request: FastifyRequest) {
    const { tenantId, transactionId, timezone } = await this.links.find(token);
    return { transactionId, context: nobodyOf(tenantId, timezone, request.id) };
  }
}
