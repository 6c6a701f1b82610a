import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { historyErrors } from './history.api.js';
import { HistoryController } from './history.controller.js';
import { historyProjection } from './history.projection.js';
import { ShowHistory, ShowHistoryPlaces } from './history.queries.js';

@Module({ controllers: [HistoryController], providers: [ShowHistory.Handler, ShowHistoryPlaces.Handler] })
export class AuditModule {
  static readonly feature: Feature = { projections: [historyProjection], errors: historyErrors };
}
