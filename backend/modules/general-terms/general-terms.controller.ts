import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { shownTerms, type TermsAcceptance, termsAcceptance } from './general-terms.api.js';
import { AcceptGeneralTerms } from './general-terms.commands.js';
import { ShowGeneralTerms } from './general-terms.queries.js';

@Controller('general-terms')
export class GeneralTermsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra a concordância com as políticas e termos gerais', answer: shownTerms })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowGeneralTerms(context));
  }

  @Post('acceptance')
  @Route({ summary: 'Concorda com as políticas e termos gerais', body: termsAcceptance, answer: created })
  accept(@Ctx() context: CommandContext, @Body() acceptance: TermsAcceptance) {
    return this.commands.execute(new AcceptGeneralTerms(context, acceptance));
  }
}
