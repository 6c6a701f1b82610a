import { Body, Controller, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { paymentDone } from '../charges/charges.api.js';
import {
  bankLines,
  type BankLines,
  comparedLines,
  lineEntry,
  type LineEntry,
  lineLeft,
  type LineLeft,
  lineName,
  type LineName,
  lineRefund,
  type LineRefund,
  lineSettlement,
  type LineSettlement,
  lineSplit,
  type LineSplit,
  lineSplitDone,
} from './bank-lines.api.js';
import {
  LeaveLine,
  RecordLine,
  RefundByLine,
  ReopenLine,
  SettleByLine,
  SplitLine,
  UndoPayments,
} from './bank-lines.commands.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';

const BODY_LIMIT = 512 * 1024;
/** Every action on a line compares all shown lines again. */
const COMPARISONS = { name: 'bank-lines', points: 60, seconds: 60 };

/** Lines of a bank statement, which is read on the device. They are sent in bodies, because paths are stored. */
@Controller('bank-lines')
export class BankLinesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly ids: LineIds,
    private readonly limits: RateLimits,
  ) {}

  @Post('compare')
  @Route({
    summary: 'Compara linhas de um extrato com as cobranças em aberto, sem registrar nada',
    body: bankLines,
    bodyLimit: BODY_LIMIT,
    asks: true,
    answer: comparedLines,
  })
  async compare(
    @Ctx() context: CommandContext,
    @Body() { linhas }: BankLines,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.limits.consume(COMPARISONS, context.tenantId, reply);
    return this.queries.execute(new CompareLines(context, linhas));
  }

  @Post('settle')
  @Route({
    summary: 'Dá baixa em uma cobrança pela linha do extrato',
    body: lineSettlement,
    answer: paymentDone,
    status: 201,
  })
  settle(@Ctx() context: CommandContext, @Body() line: LineSettlement) {
    return this.commands.execute(new SettleByLine(context, this.idOf(context, line), line));
  }

  @Post('split')
  @Route({
    summary: 'Divide a linha do extrato entre cobranças',
    body: lineSplit,
    answer: lineSplitDone,
    status: 201,
  })
  split(@Ctx() context: CommandContext, @Body() line: LineSplit) {
    return this.commands.execute(new SplitLine(context, this.idOf(context, line), line));
  }

  @Post('undo-payments')
  @Route({
    summary: 'Desfaz os pagamentos que a linha do extrato registrou',
    body: lineName,
    answer: created,
  })
  undoPayments(@Ctx() context: CommandContext, @Body() line: LineName) {
    return this.commands.execute(new UndoPayments(context, this.idOf(context, line)));
  }

  @Post('record')
  @Route({
    summary: 'Registra a linha do extrato como lançamento',
    body: lineEntry,
    answer: created,
    status: 201,
  })
  record(@Ctx() context: CommandContext, @Body() line: LineEntry) {
    return this.commands.execute(new RecordLine(context, this.idOf(context, line), line));
  }

  @Post('refund')
  @Route({
    summary: 'Reconhece na linha do extrato uma devolução já registrada',
    body: lineRefund,
    answer: created,
  })
  refund(@Ctx() context: CommandContext, @Body() line: LineRefund) {
    return this.commands.execute(new RefundByLine(context, this.idOf(context, line), line));
  }

  @Post('leave')
  @Route({ summary: 'Ignora a linha do extrato', body: lineLeft, answer: created })
  leave(@Ctx() context: CommandContext, @Body() line: LineLeft) {
    return this.commands.execute(new LeaveLine(context, this.idOf(context, line), line));
  }

  @Post('reopen')
  @Route({ summary: 'Volta a considerar a linha do extrato', body: lineName, answer: created })
  reopen(@Ctx() context: CommandContext, @Body() line: LineName) {
    return this.commands.execute(new ReopenLine(context, this.idOf(context, line)));
  }

  private idOf({ tenantId }: CommandContext, { chave }: LineName): string {
    return this.ids.idOf(tenantId, chave);
  }
}
