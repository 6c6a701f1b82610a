import { Controller, Get, Inject } from '@nestjs/common';
import * as z from 'zod/mini';
import { Config } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { openApiDocument, type RegisteredRoute } from './openapi.js';
import { Route } from './route.js';

export const ROUTES = Symbol('routes');

@Controller('api')
export class OpenApiController {
  private document: object | undefined;

  constructor(
    private readonly config: Config,
    private readonly features: FeatureRegistry,
    @Inject(ROUTES) private readonly routes: readonly RegisteredRoute[],
  ) {}

  @Get('openapi.json')
  @Route({
    summary: 'Mostra este documento',
    tags: ['openapi'],
    public: true,
    answer: z.looseObject({ openapi: z.string() }),
  })
  read(): object {
    this.document ??= openApiDocument(this.routes, this.features.all.errors, this.config.siteUrl);
    return this.document;
  }
}
