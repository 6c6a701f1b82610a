import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { RateLimitOptions } from '../calls.api.js';
import { pageHeaders } from '../security-headers.js';

/** Openings of pages by address, which many phones may have in common. */
export const OPENINGS: RateLimitOptions = { name: 'link-pages', points: 300, seconds: 60, byProcess: true };

/** Parameters that other sites add to links, as Instagram does, are ignored. */
export const anyQuery = z.object({});

interface PageOptions {
  /** First part of the page's address, with a slash. */
  under: string;
  isSecure: boolean;
  /** What the link opens is for its holder alone. */
  isPrivate?: boolean;
}

/** The headers of a page that the server writes. Its scripts and styles are files. */
export function asPage(
  reply: FastifyReply,
  { under, isSecure, isPrivate = false }: PageOptions,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  void reply.headers(pageHeaders(under, [], nonce, isSecure)).type('text/html; charset=utf-8');
  return isPrivate ? reply.header('Cache-Control', 'no-store') : reply;
}
