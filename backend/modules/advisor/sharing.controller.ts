import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { sharingChange, type SharingChange, shownSharing } from './sharing.api.js';
import { SetAdvisorSharing } from './sharing.commands.js';
import { ShowAdvisorSharing } from './sharing.queries.js';

@Controller('settings/advisor')
export class SharingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra o que o Consultor Financeiro envia ao servidor de IA', answer: shownSharing })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowAdvisorSharing(context));
  }

  @Put()
  @Route({
    summary: 'Define o que o Consultor Financeiro envia ao servidor de IA',
    body: sharingChange,
    answer: created,
  })
  share(@Ctx() context: CommandContext, @Body() wanted: SharingChange) {
    return this.commands.execute(new SetAdvisorSharing(context, wanted));
  }
}
