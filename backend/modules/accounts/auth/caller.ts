import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** From where somebody asks, and where what is left of their limits is said. */
export interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});
