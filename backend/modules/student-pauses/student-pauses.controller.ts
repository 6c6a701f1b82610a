import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { newPause, type NewPause } from './student-pauses.api.js';
import { PauseStudent, ResumeStudent } from './student-pauses.commands.js';

@Controller('students/:id/pause')
export class StudentPausesController {
  constructor(private readonly commands: CommandBus) {}

  @Put()
  @Route({
    summary: 'Pausa um aluno até um dia: os créditos não vencem, e nenhum mês é cobrado',
    tags: ['students'],
    params: idParams,
    body: newPause,
    answer: created,
  })
  pause(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: NewPause) {
    return this.commands.execute(new PauseStudent(context, id, wanted));
  }

  @Delete()
  @Route({ summary: 'Encerra a pausa de um aluno', tags: ['students'], params: idParams, answer: created })
  resume(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ResumeStudent(context, id));
  }
}
