import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { expiryWarning, type ExpiryWarningEvent } from './expiry-warning.js';
import { ExpiryWarningMails, expiryWarningMail } from './expiry-warning-mails.service.js';
import { expiryWarningsApi, expiryWarningErrors } from './expiry-warnings.api.js';
import {
  MarkExpiryWarningSent,
  MarkExpiryWarningUnsent,
  PrepareExpiryWarnings,
} from './expiry-warnings.commands.js';
import { ExpiryWarningsJob, expiryWarningsDue } from './expiry-warnings.job.js';
import { ListExpiryWarnings } from './expiry-warnings.queries.js';

interface WarningRow {
  student_id: string;
  expira_em: string;
  expires_at: string;
  por_email: boolean;
  preparado_em: string;
  enviado_em: string | null;
}

const expiryWarnings = stateProjection(expiryWarning, {
  name: 'expiry-warnings',
  topic: 'expiry-warnings',
  table: 'expiry_warnings',
  evolve(row: WarningRow | undefined, event) {
    const { type, data } = event;
    const at = event.recordedAt.toISOString();
    if (type === 'ExpiryWarningPrepared') {
      const { warning_id: _, ...prepared } = data;
      return { ...prepared, preparado_em: at, enviado_em: null };
    }
    if (!row) return null;
    switch (type) {
      case 'ExpiryWarningSent':
        return { ...row, enviado_em: at };
      case 'ExpiryWarningUnsent':
        return { ...row, enviado_em: null };
    }
  },
});

type Data = ExpiryWarningEvent['data'];

const subjects = ({ student_id }: Data) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({
  subjects,
  words: ({ expira_em }: Data) => `${words} dos créditos que vencem em ${shortDate(expira_em)}`,
});

const expiryWarningHistory: HistoryWords<ExpiryWarningEvent> = {
  ExpiryWarningPrepared: {
    subjects,
    words: ({ expira_em, por_email }: Data & { por_email: boolean }) =>
      `Preparou o aviso dos créditos que vencem em ${shortDate(expira_em)}${por_email ? ': enviado por e-mail' : ''}`,
  },
  ExpiryWarningSent: said('Enviou pelo WhatsApp o aviso'),
  ExpiryWarningUnsent: said('Desfez o envio do aviso'),
};

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
