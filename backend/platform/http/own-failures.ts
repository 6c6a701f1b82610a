import type { FastifyReply, FastifyRequest } from 'fastify';

/** A module's own error format, for clients that do not read problem details. */
export interface OwnFailures {
  /** Path prefix that it applies to, such as `/auth/v1`, including unknown routes under it. */
  under: string;
  answer(failure: unknown, request: FastifyRequest, reply: FastifyReply): void;
}

/** The error format for a path; undefined for the platform's own. */
export function ownFailuresOf(url: string, all: readonly OwnFailures[]): OwnFailures | undefined {
  return all.find(({ under }) => url === under || url.startsWith(`${under}/`) || url.startsWith(`${under}?`));
}
