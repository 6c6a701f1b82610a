import { addMinutes } from 'date-fns';
import { Problem } from '../../platform/http/problem.js';
import { CODE_MINUTES } from './contracts.api.js';
import {
  idsOf,
  type MailedCode,
  openRequest,
  type SignatureRequestEvent,
  type SignatureRequestState,
} from './signature-request.js';

/**
 * The most codes of one request. With the tries that each allows, a stranger who has the link finds a code with a probability
 * of 1 : 10,000.
 */
const MOST_CODES = 20;
const MOST_GUESSES = 5;
const PAUSE_MS = 60_000;

/** Computes the code with this number of a request. */
export type CodeOf = (numero: number) => string;

/** `a…@exemplo.com`: enough to recognise one's own address. */
export const maskedAddress = (address: string) => address.replace(/^(.)[^@]*/, '$1…');

/**
 * Goes to the student's recorded address: the signer cannot choose another. @throws Problem 409 where a code was mailed less
 * than a minute ago, or too many were mailed
 */
export function decideSendCode(
  state: SignatureRequestState,
  email: string,
  now: Date,
): SignatureRequestEvent[] {
  const request = openRequest(state, now);
  const { numero = 0, enviado_em } = request.codigo ?? {};
  if (enviado_em && now.getTime() - Date.parse(enviado_em) < PAUSE_MS)
    throw new Problem('contracts.code_too_soon');
  if (numero >= MOST_CODES) throw new Problem('contracts.too_many_codes');
  const times = { enviado_em: now.toISOString(), expira_em: addMinutes(now, CODE_MINUTES).toISOString() };
  return [{ type: 'ContractCodeSent', data: { ...idsOf(request), numero: numero + 1, email, ...times } }];
}

/** Records a wrong code, so that it counts as a try. @throws Problem 409 if there is no valid code */
export function decideConfirmCode(
  state: SignatureRequestState,
  typed: string,
  codeOf: CodeOf,
  now: Date,
): SignatureRequestEvent[] {
  const request = openRequest(state, now);
  const { codigo } = request;
  if (!codigo || !holds(codigo, now)) throw new Problem('contracts.mailed_code_over');
  const { numero } = codigo;
  const ids = idsOf(request);
  if (typed !== codeOf(numero)) return [{ type: 'ContractCodeMistyped', data: { ...ids, numero } }];
  if (codigo.confirmado_em) return [];
  return [{ type: 'ContractCodeConfirmed', data: { ...ids, numero, confirmado_em: now.toISOString() } }];
}

/**
 * Returns when the code that the signer sends again was confirmed. @throws Problem 409 if it was not confirmed, or a
 * newer one was mailed since
 */
export function confirmedAt(
  codigo: MailedCode | null,
  typed: string | null,
  codeOf: CodeOf,
  now: Date,
): string {
  if (!codigo?.confirmado_em || !holds(codigo, now) || typed !== codeOf(codigo.numero))
    throw new Problem('contracts.mailed_code_missing');
  return codigo.confirmado_em;
}

const holds = ({ erros, expira_em }: MailedCode, now: Date) =>
  erros < MOST_GUESSES && Date.parse(expira_em) > now.getTime();
