import type { Act, ChatMessage } from '../../../../backend/modules/advisor/advisor.api.js';
import { UNDONE } from '../../../../backend/modules/finance/finance.api.js';
import type { Delta } from './answer.js';

export interface Piece {
  texto: string;
  fonte?: string | undefined;
}

/** An act that an answer offers. It has its own idempotency key, so that it is done once, however often it is tapped or sent. */
export interface Card {
  ato: Act;
  key: string;
  estado: 'oferecido' | 'feito' | 'desfeito';
  /** What it made. */
  id?: string;
  /** The request that undoes it, and the query of its price. */
  volta?: { path: string; body?: unknown; asked?: Record<string, string> };
}

export interface Entry {
  role: ChatMessage['role'];
  pecas: Piece[];
  card?: Card;
  exemplos?: string[];
}

export const question = (texto: string): Entry => ({ role: 'user', pecas: [{ texto }] });
export const emptyAnswer: Entry = { role: 'assistant', pecas: [] };

/** The answer with another piece added. */
export function withDelta(
  entry: Entry,
  { content, fonte, ato, exemplos }: Delta,
  newKey: () => string,
): Entry {
  const last = entry.pecas.at(-1);
  const joins = content !== undefined && !fonte && last && !last.fonte;
  const pecas = joins
    ? [...entry.pecas.slice(0, -1), { texto: last.texto + content }]
    : content
      ? [...entry.pecas, { texto: content, fonte }]
      : entry.pecas;
  return {
    ...entry,
    pecas,
    ...(ato && { card: { ato, key: newKey(), estado: 'oferecido' as const } }),
    ...(exemplos && { exemplos }),
  };
}

export const textOf = ({ pecas }: Entry): string => pecas.map(({ texto }) => texto).join('');

/** Number of messages to send, so that follow-ups such as "e em março?" are understood. */
const SENT = 10;
const LONGEST = 4000;

/** The last messages as texts, to be sent. */
export const messagesOf = (entries: readonly Entry[]): ChatMessage[] =>
  entries
    .map((entry) => ({ role: entry.role, content: textOf(entry).trim().slice(0, LONGEST) }))
    .filter(({ content }) => content !== '')
    .slice(-SENT);

/** The command of a card. */
export function commandOf({ ato }: Card): { path: string; body: object } {
  switch (ato.tipo) {
    case 'lancamento':
      return { path: '/transactions', body: ato.corpo };
    case 'cobranca':
      return { path: '/charges', body: ato.corpo };
    case 'pagamento':
      return { path: `/charges/${ato.charge_id}/payments`, body: ato.corpo };
    case 'sessao':
      return { path: '/sessions', body: ato.corpo };
  }
}

/** The request that undoes a card's command. */
export function wayBack(
  { ato }: Card,
  { id, payment_id }: { id: string; payment_id?: string },
): NonNullable<Card['volta']> {
  switch (ato.tipo) {
    case 'lancamento':
      return { path: `/transactions/${id}/reverse`, body: { motivo: UNDONE } };
    case 'cobranca':
      return { path: `/charges/${id}/cancel` };
    case 'pagamento':
      return { path: `/charges/${ato.charge_id}/payments/${payment_id}/reverse` };
    case 'sessao':
      return {
        path: '/sessions/undo-bookings',
        body: { session_ids: [id] },
        asked: { session_ids: id },
      };
  }
}
