import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { expiryWarning } from './expiry-warning.js';
import { ExpiryWarningMails, expiryWarningMail } from './expiry-warning-mails.service.js';
import { expiryWarningsApi, expiryWarningErrors } from './expiry-warnings.api.js';
import {
  MarkExpiryWarningSent,
  MarkExpiryWarningUnsent,
  PrepareExpiryWarnings,
} from './expiry-warnings.commands.js';
import { expiryWarningHistory } from './expiry-warnings.history.js';
import { ExpiryWarningsJob, expiryWarningsDue } from './expiry-warnings.job.js';
import { expiryWarnings } from './expiry-warnings.projection.js';
import { ListExpiryWarnings } from './expiry-warnings.queries.js';

/**
 * Expiring credits (`expiry-warnings`) are announced once per student and last day, by a job between 9:00 and 20:00 in the
 * tenant's zone, seven days ahead. The id follows from student and day; a reaction sends the mail. If a vacation moves the day,
 * there is another warning. The sheet "Lembretes" offers those without an e-mail address for WhatsApp.
 */
@Module(
  together(
    serve(expiryWarningsApi, {
      list: ListExpiryWarnings,
      sent: MarkExpiryWarningSent,
      unsent: MarkExpiryWarningUnsent,
    }),
    { providers: [PrepareExpiryWarnings.Handler, ExpiryWarningMails, ExpiryWarningsJob] },
  ),
)
export class ExpiryWarningsModule {
  static readonly feature: Feature = {
    aggregates: [expiryWarning],
    projections: [expiryWarnings],
    history: expiryWarningHistory,
    ownData: {
      trainer: {
        'avisos-de-vencimento': `select w.id, w.student_id, a.nome as aluno, w.expira_em, w.por_email, w.preparado_em, w.enviado_em
      from expiry_warnings w left join students a on a.tenant_id = w.tenant_id and a.id = w.student_id
      order by w.expira_em, w.id`,
      },
      student: {
        'avisos-de-vencimento': `select id, expira_em, por_email, preparado_em, enviado_em from expiry_warnings where student_id = $1
      order by expira_em, id`,
      },
    },
    errors: expiryWarningErrors,
    reactions: [expiryWarningMail],
    jobs: [expiryWarningsDue],
  };
}
