import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { atEnd } from '../support/cleanup.js';
import { startProbe } from './probe-app.js';

const page =
  '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><meta name="support" content="__SUPPORT_URL__"><meta name="password-min-length" content="__PASSWORD_MIN_LENGTH__"><title>Rende</title>'.padEnd(
    2000,
  );
const script = 'console.log("Rende")';

const folder = await mkdtemp(join(tmpdir(), 'rende-pages-'));
atEnd(() => rm(folder, { recursive: true }));
await mkdir(join(folder, 'assets'));
await Promise.all([
  writeFile(join(folder, 'index.html'), page),
  writeFile(join(folder, 'csp.json'), JSON.stringify({ script: ['sha256-abc='] })),
  writeFile(join(folder, 'icon.svg'), '<svg/>'),
  writeFile(join(folder, 'sw.js'), script),
  writeFile(join(folder, 'manifest.webmanifest'), '{}'),
  writeFile(join(folder, 'assets', 'main-1a2b.js'), script),
  writeFile(join(folder, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script)),
]);
const { origin } = await startProbe({}, { frontend: folder });

describe('a page', () => {
  it.each(['/', '/alunos', '/alunos/novo', '/agenda?dia=2026-11-20', '/apis', '/aceitar/abc'])(
    'is served at any address of the application: %s',
    async (path) => {
      const answer = await fetch(origin + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(await answer.text()).toContain('<title>Rende</title>');
    },
  );

  it.each([
    '/assets/main-9z9z.js',
    '/missing.png',
    '/csp.json',
    '/index.html',
    '/api',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
  ])('is not served for a missing file or route: %s', async (path) => {
    const answer = await fetch(origin + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  it('runs only our scripts, and styles with the nonce of this answer', async () => {
    const [first, second] = await Promise.all([fetch(origin), fetch(origin)]);
    const nonce = /nonce="([^"]{20,})"/.exec(await first.text())![1]!;
    const policy = first.headers.get('content-security-policy')!.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self' 'sha256-abc='",
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
    ]);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    expect(first.headers.get('reporting-endpoints')).toBe('csp="/api/csp-reports"');
  });

  it('is isolated, and pages with a token send no Referer', async () => {
    const { headers } = await fetch(origin);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toBe('geolocation=(), camera=(), microphone=()');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('strict-transport-security')).toBeNull();
    for (const page of ['aceitar', 'minha-area', 'avisos']) {
      const link = await fetch(`${origin}/${page}/abc`);
      expect([page, link.headers.get('referrer-policy')]).toEqual([page, 'no-referrer']);
    }
  });

  it('contains the support address, if there is one', async () => {
    expect(await (await fetch(origin)).text()).toContain('<meta name="support" content="">');
    const env = { SUPPORT_URL: 'https://ajuda.example/?de=rende&em=pt' };
    const helped = await startProbe(env, { frontend: folder });
    expect(await (await fetch(helped.origin)).text()).toContain(
      '<meta name="support" content="https://ajuda.example/?de=rende&amp;em=pt">',
    );
  });

  it('contains the minimum length of a password', async () => {
    const strict = await startProbe({ PASSWORD_MIN_LENGTH: '12' }, { frontend: folder });
    expect(await (await fetch(strict.origin)).text()).toContain(
      '<meta name="password-min-length" content="12">',
    );
  });

  it('with every component exists only outside of production', async () => {
    expect((await fetch(`${origin}/dev/ui`)).status).toBe(200);
    const live = await startProbe({ NODE_ENV: 'production' }, { frontend: folder });
    expect((await fetch(`${live.origin}/dev/ui`)).status).toBe(404);
  });

  it('requires TLS if the site has it', async () => {
    const secure = await startProbe({ SITE_URL: 'https://rende.example' }, { frontend: folder });
    const { headers } = await fetch(secure.origin);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
    const api = await fetch(`${secure.origin}/health/live`);
    expect(api.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  });
});

describe('a file', () => {
  it('with a hash in its name is cached without expiry, and is compressed', async () => {
    const answer = await fetch(`${origin}/assets/main-1a2b.js`, { headers: { 'Accept-Encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('content-type')).toMatch('javascript');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe(script);
  });

  it('without a hash is revalidated, and not sent again if unchanged', async () => {
    const answer = await fetch(`${origin}/icon.svg`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${origin}/icon.svg`, {
      // Without this header, fetch forbids caches to answer.
      headers: { 'If-None-Match': answer.headers.get('etag')!, 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  it('with the service worker is fetched at each start, and may only connect to this origin', async () => {
    const { headers } = await fetch(`${origin}/sw.js`);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch('javascript');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('that makes the application installable has the type that browsers ask for', async () => {
    const { headers } = await fetch(`${origin}/manifest.webmanifest`);
    expect(headers.get('content-type')).toMatch('application/manifest+json');
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});

describe('an answer of the API', () => {
  it.each([
    ['/health/live', 'no-store'],
    ['/api/v1/nothing', 'no-store'],
    ['/api/openapi.json', 'public, no-cache'],
  ])('is not a page: %s', async (path, cacheControl) => {
    const { headers } = await fetch(origin + path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': cacheControl,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});
