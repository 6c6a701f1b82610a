import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/env.js';
import { Access } from './access.js';
import { addressKey } from './address.js';
import { refuseUndeclared, tellPosition } from './answers.js';
import { Problem } from './problem.js';
import { RateLimits } from './rate-limit.js';
import { readRequest } from './read-request.js';
import { ReadYourWrites } from './read-your-writes.js';

/**
 * What every route does before and after its handler, as hooks of the server: Nest's interceptors are chains of
 * Observables, made anew for each request.
 */
@Injectable()
export class RequestHooks implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly access: Access,
    private readonly limits: RateLimits,
    private readonly readYourWrites: ReadYourWrites,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<FastifyInstance>();
    instance.addHook('preHandler', (request, reply) => this.admit(request, reply));
    instance.addHook('preSerialization', tellPosition);
    if (this.config.environment !== 'production') instance.addHook('onSend', refuseUndeclared);
  }

  /** Who is asking, then what they ask: strangers learn nothing of a route. */
  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { config, url } = request.routeOptions;
    const { route, rateLimit } = config;
    if (!route) return;
    if (!route.public) {
      await this.access.admit(request, route);
      if (!(route.signedIn ? request.caller : request.rende)) throw new Problem('unauthenticated');
    }
    if (rateLimit) await this.limits.consume(rateLimit, addressKey(request.ip), reply);
    readRequest(request, route, url!);
    if (request.method === 'GET') await this.waitForOwnWrites(request, reply);
  }

  private async waitForOwnWrites(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const after = request.headers['rende-after'];
    if (after === undefined || !request.rende) return;
    const position = Number(after);
    if (!/^\d{1,16}$/.test(String(after)) || !Number.isSafeInteger(position)) {
      throw new Problem('validation', {
        errors: [{ pointer: '/Rende-After', detail: 'Informe uma posição válida' }],
      });
    }
    const isCurrent = await this.readYourWrites.wait(request.rende.tenantId, position);
    if (!isCurrent) reply.header('Rende-Stale', 'true');
  }
}
