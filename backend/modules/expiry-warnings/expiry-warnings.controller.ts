import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { expiryWarningList } from './expiry-warnings.api.js';
import { MarkExpiryWarningSent, MarkExpiryWarningUnsent } from './expiry-warnings.commands.js';
import { ListExpiryWarnings } from './expiry-warnings.queries.js';

@Controller('expiry-warnings')
export class ExpiryWarningsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista os avisos de créditos que vencem em até 7 dias', answer: expiryWarningList })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListExpiryWarnings(context));
  }

  @Post(':id/sent')
  @Route({ summary: 'Marca um aviso de vencimento como enviado', params: idParams, answer: created })
  sent(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new MarkExpiryWarningSent(context, id));
  }

  @Post(':id/unsent')
  @Route({ summary: 'Desfaz o envio de um aviso de vencimento', params: idParams, answer: created })
  unsent(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new MarkExpiryWarningUnsent(context, id));
  }
}
