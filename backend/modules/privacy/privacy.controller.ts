import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { forgotten } from './privacy.api.js';
import { ForgetStudent } from './privacy.commands.js';

@Controller('students')
export class PrivacyController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/forget')
  @Route({ summary: 'Apaga os dados de um aluno, para sempre', params: idParams, answer: forgotten })
  forget(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ForgetStudent(context, id));
  }
}
