import { Body, Controller, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { pauseChange, type PauseChange } from './student-pauses.api.js';
import { PauseStudent } from './student-pauses.commands.js';

@Controller('students/:id/pause')
export class StudentPausesController {
  constructor(private readonly commands: CommandBus) {}

  @Put()
  @Route({
    summary:
      'Pausa um aluno até um dia, ou encerra a pausa: nela, os créditos não vencem e nenhum mês é cobrado',
    tags: ['students'],
    params: idParams,
    body: pauseChange,
    answer: created,
  })
  pause(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: PauseChange) {
    return this.commands.execute(new PauseStudent(context, id, wanted));
  }
}
