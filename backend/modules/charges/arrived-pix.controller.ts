import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { ReopenPix } from './arrived-pix.commands.js';

@Controller('arrived-pix')
export class ArrivedPixController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/reopen')
  @Route({ summary: 'Desfaz a decisão sobre um Pix', params: idParams, answer: created })
  reopen(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReopenPix(context, id));
  }
}
