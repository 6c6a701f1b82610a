import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { strangersForgotten, strangersToForget, type StrangersToForget } from './public-link.api.js';
import { ForgetStrangers } from './strangers.commands.js';

@Controller()
export class PublicLinkController {
  constructor(private readonly commands: CommandBus) {}

  @Post('visits/strangers/forget')
  @Route({
    summary: 'Recusa as reservas de quem ninguém confirmou e apaga os dados dessas pessoas, para sempre',
    body: strangersToForget,
    answer: strangersForgotten,
  })
  forgetStrangers(@Ctx() context: CommandContext, @Body() { student_ids }: StrangersToForget) {
    return this.commands.execute(new ForgetStrangers(context, student_ids));
  }
}
