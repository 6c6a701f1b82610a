import type { FreePeriod } from '../../../backend/modules/agenda/free-times.api.js';
import { timeRefusals } from '../../../backend/modules/agenda/time-refusals.api.js';
import type { ProblemBody } from '../../../backend/platform/http/common.api.js';

/** A refusal of the server (RFC 9457): `code` is stable, `message` is the text for the user. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** By field name: `{ inicio: 'Campo obrigatório' }`; nested fields with dots. */
  readonly fields: Readonly<Record<string, string>>;
  /** Alternative times, if the server names any. */
  readonly free: readonly FreePeriod[];
  /** Seconds to wait before a retry, if the server says so. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    body: Partial<ProblemBody> & { livres?: FreePeriod[] },
    retryAfter: number | null,
  ) {
    const title = body.title ?? 'Ocorreu um erro inesperado.';
    super(body.detail ?? title);
    this.name = 'ProblemError';
    this.status = status;
    this.code = body.code ?? 'internal';
    this.title = title;
    this.free = body.livres ?? [];
    this.retryAfter = retryAfter;
    this.fields = Object.fromEntries(
      (body.errors ?? []).map(({ pointer, detail }) => [pointer.slice(1).replaceAll('/', '.'), detail]),
    );
  }
}

/** The request did not reach the server, or its answer did not arrive. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('Sem conexão com o servidor. Verifique a internet e tente de novo.', { cause });
    this.name = 'NetworkError';
  }
}

/**
 * Whether an error of the auth client means that no answer came. The client gives errors of the server the same name, with their
 * status.
 */
export const isUnanswered = ({ name, status }: { name?: string; status?: number | undefined }): boolean =>
  name === 'AuthRetryableFetchError' && !status;

/** This device could not do what was asked of it: queue a write, use a passkey. */
export class DeviceError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DeviceError';
  }
}

/** Whether a retry may succeed: no connection, too many requests, or an error of the server. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ProblemError && (error.status === 429 || error.status >= 500))
  );
}

/** The stable code of a refusal; undefined for any other failure. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof ProblemError ? error.code : undefined;

/** The message for the user about any failure. */
export function messageOf(error: unknown): string {
  const isTold = [ProblemError, NetworkError, DeviceError].some((kind) => error instanceof kind);
  return isTold ? (error as Error).message : 'Ocorreu um erro inesperado.';
}

/** The code of a refused time that the trainer may overrule. */
export const isTimeRefusalCode = (code: string | undefined): boolean =>
  code !== undefined && timeRefusals.includes(code);

/** The time was refused: because of another session, a vacation, or closed hours. */
export const isTimeRefusal = (error: unknown): error is ProblemError => isTimeRefusalCode(codeOf(error));
