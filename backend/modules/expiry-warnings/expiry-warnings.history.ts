import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import type { ExpiryWarningEvent } from './expiry-warning.js';

type Data = ExpiryWarningEvent['data'];

const subjects = ({ student_id }: Data) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({
  subjects,
  words: ({ expira_em }: Data) => `${words} dos créditos que vencem em ${shortDate(expira_em)}`,
});

export const expiryWarningHistory: HistoryWords<ExpiryWarningEvent> = {
  ExpiryWarningPrepared: {
    subjects,
    words: ({ expira_em, por_email }: Data & { por_email: boolean }) =>
      `Preparou o aviso dos créditos que vencem em ${shortDate(expira_em)}${por_email ? ': enviado por e-mail' : ''}`,
  },
  ExpiryWarningSent: said('Enviou pelo WhatsApp o aviso'),
  ExpiryWarningUnsent: said('Desfez o envio do aviso'),
};
