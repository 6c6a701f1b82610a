import { Body, Controller, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Serves } from '../../platform/http/serve.js';
import { bankLinesCalls, type BankLines, type LineName } from './bank-lines.api.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';

/** Every action on a line compares all shown lines again. */
const COMPARISONS = { name: 'bank-lines', points: 60, seconds: 60 };

/** Lines of a bank statement, which is read on the device. They are sent in bodies, because paths are stored. */
@Controller()
export class BankLinesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ids: LineIds,
    private readonly limits: RateLimits,
  ) {}

  @Serves(bankLinesCalls.compare)
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
