import { isDeepStrictEqual } from 'node:util';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { Config } from '../config/env.js';
import type { CommandResult } from '../event-store/context.js';
import { Problem } from './problem.js';
import { ReadYourWrites } from './read-your-writes.js';
import { ROUTE, type RouteOptions } from './route.js';

/** Makes reads wait for the caller's own writes, and turns what commands return into answers. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  private readonly isChecking: boolean;

  constructor(
    private readonly readYourWrites: ReadYourWrites,
    private readonly reflector: Reflector,
    config: Config,
  ) {
    this.isChecking = config.environment !== 'production';
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const route = this.reflector.get<RouteOptions>(ROUTE, context.getHandler());
    if (request.method === 'GET') await this.waitForOwnWrites(request, reply);
    return next.handle().pipe(
      map((value: unknown) => {
        const answer = request.idempotency ? answerOf(value, reply) : value;
        if (this.isChecking && !route.media) refuseUndeclared(route, answer);
        return answer;
      }),
    );
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

/** Outside production, an answer that is not exactly what its route declares is a mistake that shows at once. */
function refuseUndeclared({ answer, summary }: RouteOptions, value: unknown): void {
  const sent: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  const result = safeParse(answer ?? z.undefined(), sent);
  if (!result.success)
    throw new Error(`"${summary}" answers otherwise than declared`, { cause: result.error });
  if (!isDeepStrictEqual(result.data, sent)) throw new Error(`"${summary}" answers more than declared`);
}

function answerOf(value: unknown, reply: FastifyReply): unknown {
  const { answer, position } = value as CommandResult<unknown>;
  reply.header('Rende-Position', String(position));
  return answer;
}
