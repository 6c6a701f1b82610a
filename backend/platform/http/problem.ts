import type { ErrorTable, ProblemBody } from './common.api.js';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export interface FieldError {
  /** JSON pointer into the body (`/inicio`), or the name of the parameter behind a slash. */
  readonly pointer: string;
  readonly detail: string;
}

interface ProblemOptions {
  /** One sentence in Portuguese, where the code's title is not enough. */
  detail?: string;
  errors?: readonly FieldError[];
  /** Sent as `Retry-After`, in seconds. */
  retryAfter?: number;
  cause?: unknown;
  [extension: string]: unknown;
}

/**
 * An error that is returned to the caller as problem details. Status and title of `code` come from the error tables in `*.api.ts`, which
 * modules register in their feature's `errors`.
 */
export class Problem extends Error {
  readonly code: string;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: string, { detail, errors, retryAfter, cause, ...extensions }: ProblemOptions = {}) {
    super(detail ?? code, { cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.extensions = extensions;
  }
}

/** The response body for a problem. A code that no table declares is a bug and gives `internal`. */
export function problemBody(
  { code, detail, errors, extensions }: Problem,
  table: ErrorTable,
  siteUrl: string,
  requestId: string,
): ProblemBody {
  const entry = table[code];
  if (!entry) return problemBody(new Problem('internal'), table, siteUrl, requestId);
  return {
    type: `${siteUrl}/problems/${code}`,
    title: entry.title,
    status: entry.status,
    detail,
    instance: `urn:request:${requestId}`,
    code,
    errors: errors && [...errors],
    ...extensions,
  };
}

/** Merges all error tables. Throws where two modules define one code differently. */
export function mergeErrorTables(tables: Iterable<ErrorTable>): ErrorTable {
  const merged: Record<string, ErrorTable[string]> = {};
  for (const table of tables) {
    for (const [code, entry] of Object.entries(table)) {
      const known = merged[code];
      if (known && (known.status !== entry.status || known.title !== entry.title)) {
        throw new Error(`The problem code ${code} is declared twice, differently`);
      }
      merged[code] = entry;
    }
  }
  return merged;
}
