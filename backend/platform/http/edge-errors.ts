import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from './common.api.js';
import { toProblem } from './failure.js';
import { type OwnFailures, ownFailuresOf } from './own-failures.js';
import { problemBody, PROBLEM_TYPE } from './problem.js';
import { apiHeaders } from './security-headers.js';

const STATUS_OF: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Answers URLs that the router cannot decode, which reach no hook or filter. */
export function answerBadAddress(siteUrl: string, failures: () => readonly OwnFailures[]) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const own = ownFailuresOf(request.url, failures());
    if (own) {
      void reply.headers(apiHeaders(request.id));
      return own.answer(error, request, reply);
    }
    const body = problemBody(toProblem(error), platformErrors, siteUrl, request.id);
    void reply.headers(apiHeaders(request.id)).status(body.status).type(PROBLEM_TYPE).send(body);
  };
}

/** Answers malformed HTTP, and requests that arrive too slowly or exceed the limits. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'validation' });
  const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head}Connection: close\r\n\r\n${body}`);
}
