import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { seriesErrors } from './series.api.js';
import { CancelSeries, ChangeSeries, DeleteSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';
import { JoinSeries } from './series-members.commands.js';
import { UndoSeries } from './series-undo.commands.js';
import { FillSeries, FollowZone, StartSeries } from './series.commands.js';
import { SeriesController } from './series.controller.js';
import { seriesHistory } from './series.history.js';
import { fillSeries, SeriesJob } from './series.job.js';
import { followZone, SeriesZones } from './series.zones.js';
import { seriesRows } from './series.projection.js';
import { GetSeries, PreviewSeries } from './series.queries.js';
import { series } from './series.js';

@Module({
  controllers: [SeriesController],
  providers: [
    StartSeries.Handler,
    FillSeries.Handler,
    FollowZone.Handler,
    ChangeSeries.Handler,
    ChangeSeriesDays.Handler,
    JoinSeries.Handler,
    CancelSeries.Handler,
    DeleteSeries.Handler,
    UndoSeries.Handler,
    GetSeries.Handler,
    PreviewSeries.Handler,
    SeriesJob,
    SeriesZones,
  ],
})
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
