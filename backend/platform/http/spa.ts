import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config/env.js';
import { Problem } from './problem.js';
import { pageHeaders } from './security-headers.js';
import { WRITTEN_PAGES } from './token-pages.api.js';

/** Paths that are never a page of the SPA (`dev/ui` is one, outside production). */
const NOT_PAGES = new RegExp(
  `^(api|auth/v1|calendario|health|metrics|socket\\.io|assets|dev|${WRITTEN_PAGES.join('|')})(/|$)`,
);
const BUILD_ONLY = new Set(['index.html', 'csp.json']);

type SpaConfig = Pick<Config, 'siteUrl' | 'supportUrl' | 'passwordMinLength' | 'environment'>;

/**
 * Serves the built SPA: its files, and `index.html` for every other address, so that deep links work. In the page,
 * `__CSP_NONCE__` is replaced by a fresh nonce, and `__SUPPORT_URL__` and `__PASSWORD_MIN_LENGTH__` by values of the
 * configuration.
 */
export async function serveSpa(
  instance: FastifyInstance,
  directory: string,
  { siteUrl, supportUrl = '', passwordMinLength, environment }: SpaConfig,
): Promise<void> {
  const isSecure = siteUrl.startsWith('https:');
  if (!existsSync(join(directory, 'index.html'))) {
    new Logger('Spa').warn(`${directory} holds no index.html: only the API is served`);
    return;
  }
  const page = readFileSync(join(directory, 'index.html'), 'utf8')
    .replaceAll('__SUPPORT_URL__', supportUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
    .replaceAll('__PASSWORD_MIN_LENGTH__', String(passwordMinLength));
  const { script } = JSON.parse(readFileSync(join(directory, 'csp.json'), 'utf8')) as { script: string[] };
  const files = new Set(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => !BUILD_ONLY.has(name)),
  );
  await instance.register(fastifyStatic, { root: directory, serve: false, preCompressed: true });
  instance.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*'];
    if (files.has(path)) return sendFile(reply, path);
    const isGallery = path === 'dev/ui' && environment !== 'production';
    if ((NOT_PAGES.test(path) && !isGallery) || isFile(path)) throw new Problem('not_found');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers(pageHeaders(path, script, nonce, isSecure))
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', nonce));
  });
}

/**
 * Whether the last part has an extension. Without a regular expression, because anonymous callers may send paths of
 * 16,000 dots.
 */
export const isFile = (path: string): boolean => path.includes('.', path.lastIndexOf('/') + 1);

/** Policy of the service worker: it only fetches our own files. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Files under `assets` carry a hash of their content in their name. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  void reply.removeHeader('Cache-Control').removeHeader('Content-Security-Policy');
  if (path === 'sw.js') void reply.header('Content-Security-Policy', WORKER_POLICY);
  return path.startsWith('assets/')
    ? reply.sendFile(path, { immutable: true, maxAge: '365d' })
    : reply.header('Cache-Control', 'no-cache').sendFile(path, { cacheControl: false });
}
