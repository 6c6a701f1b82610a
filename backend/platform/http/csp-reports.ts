import * as z from 'zod/mini';

/**
 * Address to which browsers report what the content security policy of a page blocked; answered by
 * CspReportsController.
 */
export const CSP_REPORTS_PATH = '/api/csp-reports';

/** The fields of a Reporting API report that are read; others may hold addresses with tokens. */
export const cspReports = z
  .array(
    z.object({
      type: z.literal('csp-violation'),
      body: z.object({ effectiveDirective: z.string(), blockedURL: z.nullish(z.string()) }),
    }),
  )
  .check(z.maxLength(100));

/** Directives of CSP level 3; any other is logged as `unknown`. */
const DIRECTIVES = new Set(
  [
    'default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src',
    'connect-src manifest-src worker-src child-src frame-src media-src object-src base-uri form-action frame-ancestors',
  ].flatMap((words) => words.split(' ')),
);
/** What browsers report instead of a URL. */
const WORDS = new Set(['inline', 'eval', 'wasm-eval', 'data', 'blob']);
const OF_THE_WEB = new Set(['http:', 'https:', 'ws:', 'wss:']);
/** Longest origin: a DNS name with scheme and port. */
const MAX_LENGTH = 270;

export interface Violation {
  directive: string;
  /** An origin, a scheme such as `chrome-extension:`, or `inline` and the like. */
  blocked: string;
}

/** The part of a report that may be logged: never a path or a query, which may hold a token. */
export function violationOf({ body }: z.infer<typeof cspReports>[number]): Violation {
  const { effectiveDirective: directive, blockedURL } = body;
  return {
    directive: DIRECTIVES.has(directive) ? directive : 'unknown',
    blocked: originOf(blockedURL ?? ''),
  };
}

function originOf(blocked: string): string {
  if (WORDS.has(blocked)) return blocked;
  if (!URL.canParse(blocked)) return 'unknown';
  const { protocol, origin } = new URL(blocked);
  const shown = OF_THE_WEB.has(protocol) ? origin : protocol;
  return shown.length > MAX_LENGTH ? 'unknown' : shown;
}
