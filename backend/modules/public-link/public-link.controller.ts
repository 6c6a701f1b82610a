import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  blockChange,
  type BlockChange,
  visitDecided,
  linkChange,
  type LinkChange,
  publicLink,
  slugChange,
  type SlugChange,
  slugChanged,
  visitList,
  strangerList,
  strangersForgotten,
  strangersToForget,
  type StrangersToForget,
  visitRefusal,
  type VisitRefusal,
} from './public-link.api.js';
import { BlockVisitor, ChangeSlug, SetPublicLink } from './public-link.commands.js';
import { ListStrangers, ListVisits, ShowPublicLink } from './public-link.queries.js';
import { ForgetStrangers } from './strangers.commands.js';
import { ConfirmVisit, DeclineVisit } from './visits.commands.js';

@Controller()
export class PublicLinkController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('public-link')
  @Route({ summary: 'Mostra o link público', answer: publicLink })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowPublicLink(context));
  }

  @Put('public-link')
  @Route({ summary: 'Salva o link público', body: linkChange, answer: created })
  set(@Ctx() context: CommandContext, @Body() settings: LinkChange) {
    return this.commands.execute(new SetPublicLink(context, settings));
  }

  @Put('public-link/slug')
  @Route({ summary: 'Muda o endereço do link público', body: slugChange, answer: slugChanged })
  changeSlug(@Ctx() context: CommandContext, @Body() wanted: SlugChange) {
    return this.commands.execute(new ChangeSlug(context, wanted));
  }

  @Put('students/:id/visitor-block')
  @Route({
    summary: 'Bloqueia ou desbloqueia o número de um aluno no link público',
    params: idParams,
    body: blockChange,
    answer: created,
  })
  block(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { bloqueado }: BlockChange) {
    return this.commands.execute(new BlockVisitor(context, id, bloqueado));
  }

  @Get('visits')
  @Route({ summary: 'Lista o que visitantes agendaram pelo link público', answer: visitList })
  visits(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListVisits(context));
  }

  @Get('visits/strangers')
  @Route({ summary: 'Lista quem só existe por reservas que ninguém confirmou', answer: strangerList })
  strangers(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListStrangers(context));
  }

  @Post('visits/strangers/forget')
  @Route({
    summary: 'Recusa as reservas de quem ninguém confirmou e apaga os dados dessas pessoas, para sempre',
    body: strangersToForget,
    answer: strangersForgotten,
  })
  forgetStrangers(@Ctx() context: CommandContext, @Body() { student_ids }: StrangersToForget) {
    return this.commands.execute(new ForgetStrangers(context, student_ids));
  }

  @Post('visits/:id/confirm')
  @Route({ summary: 'Confirma o que um visitante agendou', params: idParams, answer: visitDecided })
  confirm(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ConfirmVisit(context, id));
  }

  @Post('visits/:id/decline')
  @Route({
    summary: 'Recusa o que um visitante agendou',
    params: idParams,
    body: visitRefusal,
    answer: visitDecided,
  })
  decline(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { mensagem }: VisitRefusal) {
    return this.commands.execute(new DeclineVisit(context, id, mensagem));
  }
}
