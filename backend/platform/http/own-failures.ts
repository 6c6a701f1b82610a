import type { FastifyReply, FastifyRequest } from 'fastify';

/** How a module answers failures where problem details are not the language of its clients. */
export interface OwnFailures {
  /** Path of everything that it speaks for, such as `/auth/v1`; also what is no route. */
  under: string;
  answer(failure: unknown, request: FastifyRequest, reply: FastifyReply): void;
}

/** Whoever speaks for the address, if it is not the platform. */
export function ownFailuresOf(url: string, all: readonly OwnFailures[]): OwnFailures | undefined {
  return all.find(({ under }) => url === under || url.startsWith(`${under}/`) || url.startsWith(`${under}?`));
}
