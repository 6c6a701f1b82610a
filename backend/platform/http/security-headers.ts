import type { FastifyInstance } from 'fastify';
import { CSP_REPORTS_PATH } from './csp-reports.js';
import { TOKEN_PAGES } from './token-pages.api.js';

/** Headers of every answer; pages of the SPA replace those that must differ for a document. */
export function addSecurityHeaders(instance: FastifyInstance, isSecure: boolean): void {
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.headers(apiHeaders(request.id));
    if (isSecure) void reply.header('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
    done();
  });
}

export function apiHeaders(requestId: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
}

/**
 * Headers of a page. Scripts are allowed from our own files, and inline ones by their hash only. Mantine writes
 * `<style>` elements whose text depends on theme and screen, so these are allowed by a nonce that is new in each
 * answer; style attributes that React sets through the DOM need no permission. Pages whose address holds a token send
 * no Referer.
 */
export function pageHeaders(path: string, scriptHashes: readonly string[], nonce: string, isSecure: boolean) {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    'report-to csp',
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Reporting-Endpoints': `csp="${CSP_REPORTS_PATH}"`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'geolocation=(), camera=(), microphone=()',
    'Referrer-Policy': TOKEN_PAGES.some((page) => path.startsWith(`${page}/`))
      ? 'no-referrer'
      : 'strict-origin-when-cross-origin',
  };
}
