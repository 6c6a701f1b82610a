import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { historyApi, historyErrors } from './history.api.js';
import { historyProjection } from './history.projection.js';
import { ShowHistory, ShowHistoryPlaces } from './history.queries.js';

@Module(together(serve(historyApi, { show: ShowHistory }), { providers: [ShowHistoryPlaces.Handler] }))
export class AuditModule {
  static readonly feature: Feature = { projections: [historyProjection], errors: historyErrors };
}
