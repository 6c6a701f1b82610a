import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Origin of a request, and the response that gets the headers of its rate limits. */
export interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});
