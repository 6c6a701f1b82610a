import { Body, Controller, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { bankLines, type BankLines, comparedLines, type LineName } from './bank-lines.api.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';

const BODY_LIMIT = 512 * 1024;
/** Every action on a line compares all shown lines again. */
const COMPARISONS = { name: 'bank-lines', points: 60, seconds: 60 };

/** Lines of a bank statement, which is read on the device. They are sent in bodies, because paths are stored. */
@Controller('bank-lines')
export class BankLinesController {
  constructor(
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

  private idOf({ tenantId }: CommandContext, { chave }: LineName): string {
    return this.ids.idOf(tenantId, chave);
  }
}
