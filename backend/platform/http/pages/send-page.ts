import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { Config } from '../../config/env.js';
import type { RateLimitOptions } from '../calls.api.js';
import { pageHeaders } from '../security-headers.js';

/** Openings of pages by address, which many phones may have in common. */
export const OPENINGS: RateLimitOptions = { name: 'link-pages', points: 300, seconds: 60, byProcess: true };

/** Parameters that other sites add to links, as Instagram does, are ignored. */
export const anyQuery = z.object({});

/** The headers of a page that the server writes. Its scripts and styles are files. */
export function asPage(reply: FastifyReply, isSecure: boolean): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const path = new URL(reply.request.url, 'http://page').pathname.slice(1);
  return reply.headers(pageHeaders(path, [], nonce, isSecure)).type('text/html; charset=utf-8');
}

/** Sends pages that the server writes. */
@Injectable()
export class Pages {
  readonly siteUrl: string;

  constructor({ siteUrl }: Config) {
    this.siteUrl = siteUrl;
  }

  /** `isPublic`: anybody may keep it; otherwise what the link opens is for its holder alone. */
  send(reply: FastifyReply, page: string, { isPublic = false } = {}): FastifyReply {
    const sent = asPage(reply, this.siteUrl.startsWith('https:'));
    return (isPublic ? sent : sent.header('Cache-Control', 'no-store')).send(page);
  }
}
