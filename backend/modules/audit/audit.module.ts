import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { historyApi, historyErrors } from './history.api.js';
import { historyProjection } from './history.projection.js';
import { ShowHistory, ShowHistoryPlaces } from './history.queries.js';
import { ownWhyApi, whyApi, whyErrors } from './why.api.js';
import { ExplainOwnWhy, ExplainWhy } from './why.queries.js';

/**
 * Two reads answer from the log. The history of a thing lists all that happened to it, newest first. Why (`why.queries.ts`) gives
 * one chain, from what a thing is back to what it comes from: a credit, its session and the rule in force, the lot, the charge,
 * its payment, and the clause of the contract that was signed by then; previsto of a month, its parts, and what set each amount. Each
 * module says of its own things what happened to them
 * and what they come from (`feature.why`); the walk, who acted, and what a student may hear is here, for all of them.
 */
@Module(
  together(
    serve(historyApi, { show: ShowHistory }),
    serve(whyApi, { explain: ExplainWhy }),
    serve(ownWhyApi, { explain: ExplainOwnWhy }),
    { providers: [ShowHistoryPlaces.Handler] },
  ),
)
export class AuditModule {
  static readonly feature: Feature = {
    projections: [historyProjection],
    errors: { ...historyErrors, ...whyErrors },
  };
}
