import type { Aggregate } from '../../platform/event-store/aggregate.js';
import type { MessageState } from '../../platform/whatsapp-messages.api.js';
import type { MessageKind } from './whatsapp.api.js';

/** What a message is about: of ids only, because it is stored beside the log too. */
export interface MessageAbout {
  message_id: string;
  student_id: string;
  tipo: MessageKind;
  /** The prepared message, such as a reminder. */
  subject_id: string;
  /** What it is about: of a reminder the session, of an offer the entry of the waitlist, of others the student or `subject_id`. */
  sobre_id: string;
}

type Estado = MessageState['estado'];

export interface Report {
  estado: Exclude<Estado, 'incerta'>;
  em: string;
  /** The code of Meta for one that was not delivered, or the status of its answer; null where it did not answer. */
  motivo: number | null;
}

export type WhatsAppMessageEvent =
  | { type: 'WhatsAppMessageSent'; data: MessageAbout & { incerta: boolean } }
  | {
      type: 'WhatsAppMessageReported';
      data: MessageAbout & Report;
    };

/** Undefined until it is sent. */
export type WhatsAppMessageState = (MessageAbout & { estado: Estado }) | undefined;

/** What the student is told about already refers to the student. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;

/** One message to one student about one prepared message; the stream's id follows from both. */
export const whatsAppMessage: Aggregate<WhatsAppMessageState, WhatsAppMessageEvent> = {
  name: 'whatsapp-message',
  initialState: undefined,
  evolve(_state, { type, data }) {
    const { message_id, student_id, tipo, subject_id, sobre_id } = data;
    const about = { message_id, student_id, tipo, subject_id, sobre_id };
    switch (type) {
      case 'WhatsAppMessageSent':
        return { ...about, estado: data.incerta ? 'incerta' : 'enviada' };
      case 'WhatsAppMessageReported':
        return { ...about, estado: data.estado };
    }
  },
  events: { WhatsAppMessageSent: again, WhatsAppMessageReported: again },
};

/** No event if it was recorded before, by what Meta reported. */
export function decideSent(
  state: WhatsAppMessageState,
  about: MessageAbout,
  incerta: boolean,
): WhatsAppMessageEvent[] {
  return state ? [] : [{ type: 'WhatsAppMessageSent', data: { ...about, incerta } }];
}

/** What came before what, however the reports arrive. */
const order: readonly Estado[] = ['incerta', 'enviada', 'entregue', 'lida'];

/**
 * Only what is news: a report that is repeated, or older than what is known, changes nothing. One of a message that is not
 * recorded yet, because Meta was quicker, also says that it was sent.
 */
export function decideReport(
  state: WhatsAppMessageState,
  about: MessageAbout,
  report: Report,
): WhatsAppMessageEvent[] {
  const said: WhatsAppMessageEvent = { type: 'WhatsAppMessageReported', data: { ...about, ...report } };
  const { estado } = report;
  if (estado === 'falhou')
    return order.indexOf(state?.estado ?? 'incerta') > 1 || state?.estado === 'falhou' ? [] : [said];
  if (!state) return [...decideSent(state, about, false), ...(estado === 'enviada' ? [] : [said])];
  const isNews = state.estado !== 'falhou' && order.indexOf(estado) > order.indexOf(state.estado);
  return isNews ? [said] : [];
}
