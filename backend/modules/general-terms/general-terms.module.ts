import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { AcceptGeneralTerms } from './general-terms.commands.js';
import { GeneralTermsController } from './general-terms.controller.js';
import { generalTermsHistory } from './general-terms.history.js';
import { generalTerms } from './general-terms.projection.js';
import { ShowGeneralTerms } from './general-terms.queries.js';
import { generalTerms as aggregate } from './general-terms.js';

@Module({
  controllers: [GeneralTermsController],
  providers: [AcceptGeneralTerms.Handler, ShowGeneralTerms.Handler],
})
export class GeneralTermsModule {
  static readonly feature: Feature = {
    aggregates: [aggregate],
    projections: [generalTerms],
    history: generalTermsHistory,
  };
}
