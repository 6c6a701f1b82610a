import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import type { $ZodType } from 'zod/v4/core';
import type { Identity } from './context.js';
import { OwnReads } from './own-reads.interceptor.js';

/** Media types of bodies that are read. */
export type BodyMedia =
  | 'application/json'
  | 'application/reports+json'
  | 'application/x-www-form-urlencoded'
  | 'message/rfc822'
  | 'multipart/form-data';

export interface RouteOptions {
  /** One line for the OpenAPI document. */
  summary: string;
  /** Group in the OpenAPI document; by default the first word of the path. */
  tags?: string[];
  /** Schemas of path, query and JSON body. A part without a schema must be empty. */
  params?: $ZodType;
  query?: $ZodType;
  body?: $ZodType;
  /** Schema of the successful answer; none where it has no body. */
  answer?: $ZodType;
  /** Status of success, by default 200. */
  status?: number;
  /** Roles that may call it, by default trainers only. */
  roles?: Identity['role'][];
  /** Also for a caller who is signed in by the link to the student's area, as that student. */
  byLink?: true;
  /** Public: needs no signed-in user. */
  public?: boolean;
  /** For any signed-in user, with or without a membership. */
  signedIn?: boolean;
  /**
   * How a session is answered whose user has a second factor that it has not used: normally, or with this status.
   * Default: refused with 403.
   */
  beforeSecondFactor?: 'answered' | 401 | 422;
  /** Media types of the body where it is not JSON: a form that another site posts, reports of a browser, or a mail. */
  takes?: readonly BodyMedia[];
  /** Reads summaries, which are projected after the other read tables: `Rende-After` then waits for them too. */
  readsSummaries?: boolean;
  /** A POST that changes nothing: treated as a GET, without an `Idempotency-Key`. */
  asks?: boolean;
  /** Errors also carry their text as `error`, for clients that read no other field. */
  tellsError?: boolean;
  /** Keeps the raw body in `request.bytes`, to verify its signature. */
  keepsBytes?: boolean;
  /** Largest body in bytes, if the default is too small. */
  bodyLimit?: number;
  /** Most keys and elements of the body, if the default is too small. */
  maxValues?: number;
  /** Media type of the answer if it is not JSON. */
  media?: string;
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
