import type { IncomingMessage } from 'node:http';
import { TooLarge, wholeOf } from './bounded-body.js';
import { type Asked, AddressRefused, requestPublic } from './public-request.js';

/** Why a server gave no whole answer. */
export type Silence = 'endereco' | 'conexao' | 'tempo' | 'tls' | 'certificado' | 'tamanho';

export class NotAnswered extends Error {
  constructor(
    readonly kind: Silence,
    /** Whether the server may have got the request. */
    readonly mayHaveArrived: boolean,
  ) {
    super(`no answer: ${kind}`);
  }
}

export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

interface Limits {
  mostMs: number;
  mostBytes: number;
}

/** Errors after which certainly nothing was sent. */
export const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EREFUSED',
]);

/**
 * Sends one request to a public address, and reads its whole answer, within limits.
 * @throws NotAnswered
 */
export async function ask(
  url: URL,
  { headers, ...asked }: Omit<Asked, 'signal'>,
  { mostMs, mostBytes }: Limits,
): Promise<Answered> {
  const signal = AbortSignal.timeout(mostMs);
  try {
    const response = await requestPublic(url, {
      ...asked,
      signal,
      headers: { ...headers, 'Accept-Encoding': 'identity', 'User-Agent': 'Rende' },
    });
    const text = (await wholeOf(response, mostBytes)).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    const kind = signal.aborted ? 'tempo' : kindOf(error);
    const { code = '' } = error as NodeJS.ErrnoException;
    const isUnsent = NOT_CONNECTED.has(code) || ['endereco', 'tls', 'certificado'].includes(kind);
    throw new NotAnswered(kind, !isUnsent);
  }
}

function kindOf(error: unknown): Silence {
  if (error instanceof AddressRefused) return 'endereco';
  if (error instanceof TooLarge) return 'tamanho';
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'endereco';
  // OpenSSL's error is in the code, or, for a failed write, in the message.
  if (/ALERT|HANDSHAKE|ERR_OSSL|KEY_VALUES/i.test(code === 'EPROTO' ? message : code)) return 'certificado';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'tls';
  return 'conexao';
}
