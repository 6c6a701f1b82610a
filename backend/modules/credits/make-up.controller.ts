import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { SetMakeUpRules } from './credits.commands.js';
import { makeUpChange, type MakeUpChange, makeUpRules } from './make-up.api.js';
import { ShowMakeUpRules } from './make-up.queries.js';

/** The rules for make-ups. */
@Controller('settings/make-up')
export class MakeUpRulesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra como valem as reposições', answer: makeUpRules })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowMakeUpRules(context));
  }

  @Put()
  @Route({ summary: 'Define como valem as reposições', body: makeUpChange, answer: created })
  change(@Ctx() context: CommandContext, @Body() wanted: MakeUpChange) {
    return this.commands.execute(new SetMakeUpRules(context, wanted));
  }
}
