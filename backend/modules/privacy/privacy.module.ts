import { Module } from '@nestjs/common';
import { ForgetAgain } from '../../platform/event-store/forgotten-list.js';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { privacyApi } from './privacy.api.js';
import { ForgetStudent, ForgetStudentAgain } from './privacy.commands.js';
import { PreviewForgetting } from './privacy.queries.js';
import { endRetentions, RetentionJob } from './retention.job.js';

@Module(
  together(serve(privacyApi, { preview: PreviewForgetting, forget: ForgetStudent }), {
    providers: [RetentionJob, { provide: ForgetAgain, useClass: ForgetStudentAgain }],
  }),
)
export class PrivacyModule {
  static readonly feature: Feature = { jobs: [endRetentions] };
}
