import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { CommandResult } from '../event-store/context.js';
import { Problem } from './problem.js';
import { ReadYourWrites } from './read-your-writes.js';

/** Makes reads wait for the caller's own writes, and turns what commands return into answers. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(private readonly readYourWrites: ReadYourWrites) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (request.method === 'GET') {
      await this.waitForOwnWrites(request, reply);
      return next.handle();
    }
    return next
      .handle()
      .pipe(map((value: unknown) => (request.idempotency ? answerOf(value, reply) : value)));
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

function answerOf(value: unknown, reply: FastifyReply): unknown {
  const { answer, position } = value as CommandResult<unknown>;
  reply.header('Rende-Position', String(position));
  return answer;
}
