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

/** Of one request: with the guesses of each, a stranger who has the link guesses one in ten thousand times. */
const MOST_CODES = 20;
const MOST_GUESSES = 5;
const PAUSE_MS = 60_000;

/** The code with a number of one request. */
export type CodeOf = (numero: number) => string;

/** `a…@exemplo.com`: enough to know one's own address by. */
export const maskedAddress = (address: string) => address.replace(/^(.)[^@]*/, '$1…');

/** To the student's recorded address: whoever signs cannot give another. @throws Problem 409 where one was mailed within a minute, or too many were */
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

/** A wrong one is recorded, so that it counts. @throws Problem 409 where there is none that could be confirmed */
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

/** When the code was confirmed that is shown once more. @throws Problem 409 where it was not, or has another one since */
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
