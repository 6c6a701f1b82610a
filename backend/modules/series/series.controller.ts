import { Body, Controller, Param, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { seriesChanges, type SeriesChanges, seriesDone } from './series.api.js';
import { ChangeSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';

@Controller()
export class SeriesController {
  constructor(private readonly commands: CommandBus) {}

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
}
