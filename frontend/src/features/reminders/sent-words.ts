import type { MessageState } from '../../../../backend/platform/whatsapp-messages.api.js';
import { formatMoment } from '../../lib/dates.js';

const words = { enviada: 'enviado', entregue: 'entregue', lida: 'lido' } as const;

/** What became of a reminder that was sent by itself: "Pelo WhatsApp · entregue qui., 26 de nov., 14:02". */
export function sentWords({ estado, em, falha }: MessageState, zone: string): string {
  if (estado === 'falhou') return `O WhatsApp não entregou: ${falha ?? 'houve um erro'}.`;
  if (estado === 'incerta') return 'Talvez enviado: o WhatsApp não respondeu.';
  return `Pelo WhatsApp · ${words[estado]} ${formatMoment(em, zone)}`;
}
