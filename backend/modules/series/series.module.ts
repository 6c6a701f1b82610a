import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { seriesApi, seriesErrors } from './series.api.js';
import { CancelSeries, DeleteSeries, ChangeSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';
import { JoinSeries } from './series-members.commands.js';
import { UndoSeries } from './series-undo.commands.js';
import { StartSeries, FillSeries, FollowZone } from './series.commands.js';
import { SeriesController } from './series.controller.js';
import { seriesHistory } from './series.history.js';
import { fillSeries, SeriesJob } from './series.job.js';
import { followZone, SeriesZones } from './series.zones.js';
import { seriesRows } from './series.projection.js';
import { PreviewSeries, GetSeries } from './series.queries.js';
import { series } from './series.js';

@Module(
  together(
    serve(seriesApi, {
      cancel: CancelSeries,
      preview: PreviewSeries,
      start: StartSeries,
      get: GetSeries,
      undo: UndoSeries,
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
      ],
    },
  ),
)
export class SeriesModule {
  static readonly feature: Feature = {
    aggregates: [series],
    projections: [seriesRows],
    history: seriesHistory,
    errors: seriesErrors,
    jobs: [fillSeries],
    reactions: [followZone],
  };
}
