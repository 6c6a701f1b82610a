import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import type { RouteOptions } from './calls.api.js';
import { OwnReads } from './own-reads.interceptor.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The options of `@Route`; the OpenAPI document is generated from them while routes register. */
    route?: RouteOptions;
  }
}

/** Merges options into the Fastify config of the handler's route. */
export function routeConfig(more: FastifyContextConfig): MethodDecorator {
  return (target, name, descriptor) => {
    const known = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as object;
    RouteConfig({ ...known, ...more })(target, name, descriptor);
  };
}

/**
 * Only on routes that a person without a tenant or a student may call, because an interceptor costs each request more
 * than a guard.
 */
const limitOwnReads = UseInterceptors(new OwnReads());

/** Declares a handler's validation, status, access and OpenAPI entry. Required on every handler. */
export function Route(options: RouteOptions): MethodDecorator {
  const { status = 200, signedIn, roles = [] } = options;
  const limits = signedIn || roles.includes('aluno') ? [limitOwnReads] : [];
  return applyDecorators(routeConfig({ route: options }), HttpCode(status), ...limits);
}
