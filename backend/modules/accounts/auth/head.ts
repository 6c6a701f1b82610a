import type { FastifyRequest } from 'fastify';
import { AuthError } from './auth-error.js';

/**
 * Fastify runs what answers GET for HEAD too. Mail programs and scanners look at links that way, which must not use them.
 * @throws AuthError 405
 */
export function refuseHead({ method }: FastifyRequest): void {
  if (method === 'HEAD') throw new AuthError(405, 'validation_failed', 'Method not allowed');
}
