import { hash } from 'node:crypto';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Config } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { openApiDocument, type RegisteredRoute } from './openapi.js';
import { RateLimit } from './rate-limit.js';
import { Route } from './route.js';

export const ROUTES = Symbol('routes');

@Controller('api')
export class OpenApiController {
  /** Serialised once: it is large. */
  private made: { document: Buffer; etag: string } | undefined;

  constructor(
    private readonly config: Config,
    private readonly features: FeatureRegistry,
    @Inject(ROUTES) private readonly routes: readonly RegisteredRoute[],
  ) {}

  @Get('openapi.json')
  @RateLimit({ name: 'openapi', points: 30, seconds: 60, byProcess: true })
  @Route({
    summary: 'Mostra este documento',
    tags: ['openapi'],
    public: true,
    answer: z.looseObject({ openapi: z.string() }),
  })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document, etag } = (this.made ??= this.make());
    void reply.header('Cache-Control', 'public, no-cache').header('ETag', etag);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(document);
  }

  private make() {
    const { errors } = this.features.all;
    const text = JSON.stringify(openApiDocument(this.routes, errors, this.config.siteUrl));
    return { document: Buffer.from(text), etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` };
  }
}
