import type { FastifyRequest } from 'fastify';
import { anonymousAddress } from '../../../platform/http/address.js';

const MAX_USER_AGENT = 512;

/** What is kept of the device that somebody signs in on. */
export interface Device {
  userAgent: string | null;
  /** Without its last part. */
  address: string | null;
}

export function deviceOf({ headers, ip }: FastifyRequest): Device {
  return {
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    address: anonymousAddress(ip),
  };
}
