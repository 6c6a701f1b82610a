import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { sharingApi } from './sharing.api.js';
import { advisorErrors } from './advisor.api.js';
import { AdvisorController } from './advisor.controller.js';
import { ListMissing, ListNames, RankStudents } from './advisor.queries.js';
import { Advisor } from './advisor.service.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';
import { ModelServer } from './model-server.service.js';
import { SetAdvisorSharing } from './sharing.commands.js';
import { sharingHistory } from './sharing.history.js';
import { advisorSharing } from './sharing.js';
import { advisorSharings } from './sharing.projection.js';
import { ShowAdvisorSharing } from './sharing.queries.js';

@Module(
  together(serve(sharingApi, { show: ShowAdvisorSharing, share: SetAdvisorSharing }), {
    controllers: [AdvisorController],
    providers: [
      Advisor,
      BuiltInAdvisor,
      ModelServer,
      ListNames.Handler,
      ListMissing.Handler,
      RankStudents.Handler,
    ],
  }),
)
export class AdvisorModule {
  static readonly feature: Feature = {
    aggregates: [advisorSharing],
    projections: [advisorSharings],
    history: sharingHistory,
    errors: advisorErrors,
  };
}
