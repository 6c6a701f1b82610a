import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { generalTermsApi } from './general-terms.api.js';
import { AcceptGeneralTerms } from './general-terms.commands.js';
import { generalTermsHistory } from './general-terms.history.js';
import { generalTerms } from './general-terms.projection.js';
import { ShowGeneralTerms } from './general-terms.queries.js';
import { generalTerms as aggregate } from './general-terms.js';

@Module(serve(generalTermsApi, { show: ShowGeneralTerms, accept: AcceptGeneralTerms }))
export class GeneralTermsModule {
  static readonly feature: Feature = {
    aggregates: [aggregate],
    projections: [generalTerms],
    history: generalTermsHistory,
    ownData: { trainer: { 'termos-gerais': `select versao, aceito_em from general_terms` } },
  };
}
