import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { RequestContext } from '../../platform/event-store/context.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { forgetPreview, forgotten } from './privacy.api.js';
import { PreviewForgetting } from './privacy.queries.js';
import { ForgetStudent } from './privacy.commands.js';

@Controller('students')
export class PrivacyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get(':id/forget')
  @Route({ summary: 'O que permanece de um aluno apagado', params: idParams, answer: forgetPreview })
  preview(@Ctx() context: RequestContext, @Param('id') id: string) {
    return this.queries.execute(new PreviewForgetting(context, id));
  }

  @Post(':id/forget')
  @Route({ summary: 'Apaga os dados de um aluno, para sempre', params: idParams, answer: forgotten })
  forget(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ForgetStudent(context, id));
  }
}
