import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { seriesCalls, type SeriesChanges } from './series.api.js';
import { ChangeSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';

@Controller()
export class SeriesController {
  constructor(private readonly commands: CommandBus) {}

  @Serves(seriesCalls.change)
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: SeriesChanges) {
    const { escopo, impedidas, dias } = changes;
    return this.commands.execute(
      dias
        ? new ChangeSeriesDays(context, id, { escopo, impedidas, dias })
        : new ChangeSeries(context, id, changes),
    );
  }
}
