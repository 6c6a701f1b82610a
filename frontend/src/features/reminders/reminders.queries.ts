import { useAnswer } from '../../lib/answer.js';
import { reads } from '../../lib/topics.js';
import type { MessageState } from '../../../../backend/platform/whatsapp-messages.api.js';
import { formatMoment } from '../../lib/dates.js';

const REMINDERS = reads('reminders', [
  'sessions',
  'students',
  'contracts',
  'expiry-warnings',
  'credits',
  'waitlist',
  'public-link',
  'nudges',
  'availability',
  'whatsapp',
]);

/** `sessionId`: only the reminder of this session. */
export const useReminders = (sessionId?: string) =>
  useAnswer([REMINDERS, 'list', sessionId], 'GET /reminders', { query: { session_id: sessionId } });

export const useRemindersWaiting = () => useAnswer([REMINDERS, 'waiting'], 'GET /reminders/waiting');

const words = { enviada: 'enviado', entregue: 'entregue', lida: 'lido' } as const;

/** What became of a reminder that was sent by itself: "Pelo WhatsApp · entregue qui., 26 de nov., 14:02". */
export function sentWords({ estado, em, falha }: MessageState, zone: string): string {
  if (estado === 'falhou') return `O WhatsApp não entregou: ${falha ?? 'houve um erro'}.`;
  if (estado === 'incerta') return 'Talvez enviado: o WhatsApp não respondeu.';
  return `Pelo WhatsApp · ${words[estado]} ${formatMoment(em, zone)}`;
}
