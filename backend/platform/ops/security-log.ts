import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { anonymousAddress } from '../http/address.js';

/** Security events by their stable name in the log's field `event`. */
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
  | 'passkey_added'
  | 'passkey_removed'
  | 'export_requested'
  | 'new_device';

interface Facts {
  /** Absent where the account is unknown. */
  userId?: string | undefined;
  sessionId?: string | undefined;
  /** One of our own codes, never user input. */
  reason?: string;
  limit?: string;
}

export interface Origin {
  requestId: string;
  /** Anonymised address. */
  address: string | null;
}

const logger = new Logger('Security');

export function originOf({ id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): Origin {
  return { requestId: id, address: anonymousAddress(ip) };
}

/** Logs one line with ids and codes only. */
export function logSecurity(event: SecurityEvent, facts: Facts, origin?: Origin): void {
  logger.log({
    msg: 'security event',
    event,
    ...facts,
    requestId: origin?.requestId,
    address: origin?.address,
  });
}
