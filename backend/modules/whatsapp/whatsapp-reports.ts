import { type Meaning, meaningOf } from './whatsapp-answer.js';
import type { Report } from './whatsapp-message.js';

interface Status {
  biz_opaque_callback_data?: unknown;
  status?: unknown;
  timestamp?: unknown;
  errors?: { code?: unknown }[];
}

interface Message {
  id?: unknown;
  from?: unknown;
  type?: unknown;
  text?: { body?: unknown };
  button?: { payload?: unknown; text?: unknown };
}

/** A message of somebody to the trainer's number. */
export interface Answer {
  /** Meta's. */
  wamid: string;
  /** Digits; a Brazilian mobile may be without its nine. */
  from: string;
  /** The message whose button was tapped. */
  messageId: string | null;
  sentido: Meaning;
  texto: string | null;
}

interface Value {
  metadata?: { phone_number_id?: unknown };
  statuses?: Status[];
  messages?: Message[];
}

const states: Readonly<Record<string, Report['estado']>> = {
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'falhou',
};
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const list = (value: unknown): object[] =>
  Array.isArray(value)
    ? value.filter((each: unknown): each is object => typeof each === 'object' && each !== null)
    : [];

/** What Meta says of one number: other fields, and what has another shape, are left out. */
function valuesIn({ entry }: { entry: unknown }, numeroId: string): Value[] {
  return list(entry)
    .flatMap((each) => list((each as { changes?: unknown }).changes))
    .map((each) => (each as { value?: Value }).value)
    .filter((value) => value?.metadata?.phone_number_id === numeroId)
    .map((value) => value!);
}

/** What became of messages of ours, in the order of the report; an instant is in seconds. */
export function reportsIn(body: { entry: unknown }, numeroId: string): (Report & { id: string })[] {
  return valuesIn(body, numeroId).flatMap(({ statuses }) =>
    (list(statuses) as Status[]).flatMap(({ biz_opaque_callback_data: id, status, timestamp, errors }) => {
      const estado = typeof status === 'string' ? states[status] : undefined;
      const seconds = Number(timestamp);
      if (!estado || typeof id !== 'string' || !UUID.test(id) || !(seconds > 0 && seconds < 1e10)) return [];
      const [error] = list(errors) as { code?: unknown }[];
      const code = estado === 'falhou' ? Math.trunc(Number(error?.code)) : 0;
      const motivo = Math.abs(code) < 2 ** 31 ? code || null : null;
      return [{ id, estado, em: new Date(seconds * 1000).toISOString(), motivo }];
    }),
  );
}

/** In characters: half a surrogate pair cannot be stored. */
const LONGEST = 1000;
/** What people write, or send: not what tells of a reaction, or of a number that was changed. */
const WRITTEN = ['text', 'button', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contacts'];
const PAYLOAD = /^(confirma|nao_vai)\/([\da-f-]{36})$/;

export function answersIn(body: { entry: unknown }, numeroId: string): Answer[] {
  return valuesIn(body, numeroId).flatMap(({ messages }) =>
    (list(messages) as Message[]).flatMap(({ id: wamid, from, type, text, button }) => {
      if (typeof wamid !== 'string' || typeof from !== 'string' || !/^\d{8,15}$/.test(from)) return [];
      if (!WRITTEN.includes(String(type))) return [];
      const written = type === 'button' ? button?.text : text?.body;
      const texto = typeof written === 'string' ? [...written.trim()].slice(0, LONGEST).join('') : '';
      const [, tapped, messageId = null] = PAYLOAD.exec(String(button?.payload)) ?? [];
      const sentido = (tapped as Meaning | undefined) ?? meaningOf(texto);
      return [{ wamid, from, messageId, sentido, texto: texto || null }];
    }),
  );
}
