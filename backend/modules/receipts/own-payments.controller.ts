import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { STUDENT_FILES } from '../../platform/http/calls.api.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { PrintOwnReceipt } from './own-payments.queries.js';

const MEDIA = 'application/pdf';

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
