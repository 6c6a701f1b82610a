import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { anonymousAddress } from '../http/address.js';

/** What an operator searches the log for, in the field `event`. The names are stable. */
export type SecurityEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'second_factor_failed'
  | 'proof_failed'
  | 'refresh_token_replayed'
  | 'limit_reached'
  | 'session_ended'
  | 'password_changed'
  | 'email_changed'
  | 'factor_added'
  | 'factor_removed'
  | 'export_requested'
  | 'new_device';

interface Facts {
  /** Absent where nobody knows whose account it is. */
  userId?: string | undefined;
  sessionId?: string | undefined;
  /** A code of ours, never what somebody typed. */
  reason?: string;
  limit?: string;
}

/** From where it came. */
export interface Origin {
  requestId: string;
  /** Without its last part. */
  address: string | null;
}

const logger = new Logger('Security');

export function originOf({ id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): Origin {
  return { requestId: id, address: anonymousAddress(ip) };
}

/** One line of the log, with ids and codes alone. */
export function logSecurity(event: SecurityEvent, facts: Facts, origin?: Origin): void {
  logger.log({
    msg: 'security event',
    event,
    ...facts,
    requestId: origin?.requestId,
    address: origin?.address,
  });
}
