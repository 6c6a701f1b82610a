import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import {
  newSeries,
  type NewSeries,
  seriesAnswer,
  seriesCancellation,
  type SeriesCancellation,
  seriesChanges,
  type SeriesChanges,
  seriesDeletion,
  type SeriesDeletion,
  seriesDone,
  seriesMembers,
  type SeriesMembers,
  seriesPreview,
  type Recurrence,
  seriesPreviewQuery,
  seriesUndo,
  type SeriesUndo,
} from './series.api.js';
import { CancelSeries, ChangeSeries, DeleteSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';
import { JoinSeries } from './series-members.commands.js';
import { UndoSeries } from './series-undo.commands.js';
import { StartSeries } from './series.commands.js';
import { GetSeries, PreviewSeries } from './series.queries.js';

@Controller()
export class SeriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('series/preview')
  @Route({
    summary: 'Mostra o que um horário fixo criaria',
    query: seriesPreviewQuery,
    answer: seriesPreview,
  })
  preview(@Ctx() context: CommandContext, @Query() wanted: Recurrence) {
    return this.queries.execute(new PreviewSeries(context, wanted));
  }

  @Post('series')
  @Route({ summary: 'Agenda um horário fixo', body: newSeries, answer: seriesDone, status: 201 })
  start(@Ctx() context: CommandContext, @Body() wanted: NewSeries) {
    return this.commands.execute(new StartSeries(context, wanted));
  }

  @Get('series/:id')
  @Route({ summary: 'Mostra um horário fixo', params: idParams, answer: seriesAnswer })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetSeries(context, id));
  }

  @Post('series/:id/undo')
  @Route({
    summary: 'Desfaz o que foi feito por último com um horário fixo',
    params: idParams,
    body: seriesUndo,
    answer: seriesDone,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string, @Body() asked: SeriesUndo) {
    return this.commands.execute(new UndoSeries(context, id, asked));
  }

  @Patch('sessions/:id/series')
  @Route({
    summary: 'Altera uma sessão e outras do horário fixo',
    params: idParams,
    body: seriesChanges,
    answer: seriesDone,
  })
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: SeriesChanges) {
    const { escopo, impedidas, dias } = changes;
    return this.commands.execute(
      dias
        ? new ChangeSeriesDays(context, id, { escopo, impedidas, dias })
        : new ChangeSeries(context, id, changes),
    );
  }

  @Post('sessions/:id/series/students')
  @Route({
    summary: 'Adiciona alunos a uma sessão e a outras do horário fixo',
    params: idParams,
    body: seriesMembers,
    answer: seriesDone,
    status: 201,
  })
  join(@Ctx() context: CommandContext, @Param('id') id: string, @Body() asked: SeriesMembers) {
    return this.commands.execute(new JoinSeries(context, id, asked));
  }

  @Post('sessions/:id/series/cancel')
  @Route({
    summary: 'Cancela uma sessão e outras do horário fixo',
    params: idParams,
    body: seriesCancellation,
    answer: seriesDone,
  })
  async cancel(@Ctx() context: CommandContext, @Param('id') id: string, @Body() asked: SeriesCancellation) {
    return this.commands.execute(
      new CancelSeries(context, id, asked, (await this.queries.execute(new MakeChargeLinks()))()),
    );
  }

  @Post('sessions/:id/series/delete')
  @Route({
    summary: 'Exclui uma sessão e outras do horário fixo',
    params: idParams,
    body: seriesDeletion,
    answer: seriesDone,
  })
  remove(@Ctx() context: CommandContext, @Param('id') id: string, @Body() asked: SeriesDeletion) {
    return this.commands.execute(new DeleteSeries(context, id, asked));
  }
}
