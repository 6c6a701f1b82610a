import {
  applyDecorators,
  HttpCode,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { TenantQueue } from '../database/tenant-queue.js';
import type { RouteOptions } from './calls.api.js';

/** Concurrent reads per person. All share the connections, and no page sends more of these at a time. */
const AT_ONCE = 3;
const WAITING = { maxWaiting: 1_000, maxWaitMs: 10_000 };

/**
 * Limits concurrent reads of a person's own data, which belong to no tenant: each person has a share of the
 * connections, as a tenant has. Requests of a student run one after another, so that no student uses all of the
 * tenant's share.
 */
class OwnReads implements NestInterceptor {
  private readonly reading = new TenantQueue({ atOnce: AT_ONCE, ...WAITING });
  private readonly readingAsStudent = new TenantQueue({ atOnce: 1, ...WAITING });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method, caller, rende } = context.switchToHttp().getRequest<FastifyRequest>();
    // Signed in by the link to a student's area, there is no user: `rende` names the student.
    const person = rende?.userId ?? caller?.userId;
    if (method !== 'GET' || person === undefined || rende?.role === 'personal') return next.handle();
    const queue = rende ? this.readingAsStudent : this.reading;
    return from(queue.run(person, () => lastValueFrom(next.handle())));
  }
}

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
