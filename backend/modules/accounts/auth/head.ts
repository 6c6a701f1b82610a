import type { FastifyRequest } from 'fastify';
import { AuthError } from './auth-error.js';

/**
 * Fastify runs the handlers of GET for HEAD as well. Mail programs and scanners check links by HEAD, which must not use them up.
 * @throws AuthError 405
 */
export function refuseHead({ method }: FastifyRequest): void {
  if (method === 'HEAD') throw new AuthError(405, 'validation_failed', 'Method not allowed');
}
