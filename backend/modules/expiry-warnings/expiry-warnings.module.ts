import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { expiryWarning } from './expiry-warning.js';
import { ExpiryWarningMails, expiryWarningMail } from './expiry-warning-mails.service.js';
import { expiryWarningErrors } from './expiry-warnings.api.js';
import {
  MarkExpiryWarningSent,
  MarkExpiryWarningUnsent,
  PrepareExpiryWarnings,
} from './expiry-warnings.commands.js';
import { ExpiryWarningsController } from './expiry-warnings.controller.js';
import { expiryWarningHistory } from './expiry-warnings.history.js';
import { ExpiryWarningsJob, expiryWarningsDue } from './expiry-warnings.job.js';
import { expiryWarnings } from './expiry-warnings.projection.js';
import { ListExpiryWarnings } from './expiry-warnings.queries.js';

@Module({
  controllers: [ExpiryWarningsController],
  providers: [
    PrepareExpiryWarnings.Handler,
    MarkExpiryWarningSent.Handler,
    MarkExpiryWarningUnsent.Handler,
    ListExpiryWarnings.Handler,
    ExpiryWarningMails,
    ExpiryWarningsJob,
  ],
})
export class ExpiryWarningsModule {
  static readonly feature: Feature = {
    aggregates: [expiryWarning],
    projections: [expiryWarnings],
    history: expiryWarningHistory,
    errors: expiryWarningErrors,
    reactions: [expiryWarningMail],
    jobs: [expiryWarningsDue],
  };
}
