import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import {
  newPause,
  type NewPause,
  pauseChange,
  type PauseChange,
  pausePreview,
} from './student-pauses.api.js';
import { PauseStudent } from './student-pauses.commands.js';
import { PreviewPause } from './student-pauses.queries.js';

@Controller('students/:id/pause')
export class StudentPausesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('preview')
  @Route({
    summary: 'Mostra o que uma pausa até um dia muda: a validade dos créditos e os meses não cobrados',
    tags: ['students'],
    params: idParams,
    query: newPause,
    answer: pausePreview,
  })
  preview(@Ctx() context: CommandContext, @Param('id') id: string, @Query() wanted: NewPause) {
    return this.queries.execute(new PreviewPause(context, id, wanted));
  }

  @Put()
  @Route({
    summary:
      'Pausa um aluno até um dia, ou encerra a pausa: nela, os créditos não vencem e nenhum mês é cobrado',
    tags: ['students'],
    params: idParams,
    body: pauseChange,
    answer: created,
  })
  async pause(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: PauseChange) {
    return this.commands.execute(
      new PauseStudent(context, id, wanted, await this.queries.execute(new MakeChargeLinks())),
    );
  }
}
