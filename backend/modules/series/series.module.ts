import { Module, Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { definePrice } from '../audit/price.queries.js';
import { seriesApi, seriesErrors, seriesCalls, type SeriesChanges } from './series.api.js';
import { CancelSeries, DeleteSeries, ChangeSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';
import { JoinSeries } from './series-members.commands.js';
import { UndoSeries } from './series-undo.commands.js';
import { StartSeries, FillSeries, FollowZone } from './series.commands.js';
import { seriesHistory } from './series.history.js';
import { fillSeries, SeriesJob } from './series.job.js';
import { followPause, SeriesPauses } from './series.pauses.js';
import { followZone, SeriesZones } from './series.zones.js';
import { seriesRows } from './series.projection.js';
import { PreviewSeries, GetSeries } from './series.queries.js';
import { series } from './series.js';

@Controller()
class SeriesController {
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

/**
 * A series is a pattern of dates of which only the end changes, and stretches that describe the sessions from a date on: local
 * time, moved days, other weekdays, location, notes. Each session stores its date in the pattern (`ocorrencia`), so that changes
 * "from here on" and "all" find sessions that were moved; what was changed in a single session stays. Sessions of a series are
 * ordinary sessions with the same guards; the series' events contain their ids. The job `series` fills an endless series twelve
 * weeks ahead, and skips dates that are not free. Days of a pause that cancels the student's sessions are left out, and booked if it ends
 * earlier (`pausadas`). A series with a fixed number of sessions keeps that number when its weekdays
 * change. Students who share an hour have one series each, with the same `turma_id` (`SeriesJoined`). The group of a date
 * follows from both, so each series is filled, ended and undone separately, while time, location and weekdays are changed for
 * all of them in one command. A command that changes many sessions stores their former values, so that one command can undo it, also
 * later from a session's sheet (`pode_desfazer`), until the first day of the change is over.
 * When the trainer changes the time zone, sessions keep their instants, and the series records the new local times
 * (`SeriesZoneChanged`), so that later sessions have the same instants.
 */
@Module(
  together(
    serve(seriesApi, {
      cancel: CancelSeries,
      preview: PreviewSeries,
      start: StartSeries,
      get: GetSeries,
      undo: UndoSeries,
      undoPrice: definePrice<[string, string]>('PriceUndoSeries', UndoSeries, (id, mudanca_id) => [
        id,
        { mudanca_id, permitir_conflito: true },
      ]),
      join: JoinSeries,
      remove: DeleteSeries,
    }),
    {
      controllers: [SeriesController],
      providers: [
        FillSeries.Handler,
        FollowZone.Handler,
        ChangeSeries.Handler,
        ChangeSeriesDays.Handler,
        SeriesJob,
        SeriesZones,
        SeriesPauses,
      ],
    },
  ),
)
export class SeriesModule {
  static readonly feature: Feature = {
    aggregates: [series],
    projections: [seriesRows],
    history: seriesHistory,
    ownData: {
      trainer: {
        series: `select id, student_id, dias, intervalo, inicio, ate, trechos, puladas, removida from series order by inicio, id`,
      },
    },
    errors: seriesErrors,
    jobs: [fillSeries],
    reactions: [followZone, followPause],
  };
}
