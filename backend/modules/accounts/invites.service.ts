import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { Tickets } from './secrets/tickets.service.js';

const FIND = `select tenant_id as "tenantId", invite_id as "inviteId", student_id as "studentId", timezone, personal,
    expires_at as "expiresAt", closed
  from auth.find_invite($1)`;

/** The invite of a link. */
export interface FoundInvite {
  tenantId: string;
  inviteId: string;
  studentId: string;
  /** IANA name. */
  timezone: string;
  /** The trainer's name. */
  personal: string;
  expiresAt: Date;
  /** Used or cancelled. */
  closed: boolean;
}

/**
 * Links that invite students. Their tokens are derived from the invite's id and the master key, so that a link can be shown again;
 * only their hash is stored, by which they are looked up.
 */
@Injectable()
export class Invites {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tickets: Tickets,
    private readonly clock: Clock,
  ) {}

  urlOf(inviteId: string): string {
    return `${this.config.siteUrl}/convite/${this.tickets.ticket('invite', inviteId)}`;
  }

  /** SHA-256, in hexadecimal. */
  hashOf(inviteId: string): string {
    return hash(this.tickets.ticket('invite', inviteId)).toString('hex');
  }

  /**
   * Also returns used ones, so that a repeated request gets its answer again.
   * @throws Problem 404 for a link that never existed
   */
  async find(token: string): Promise<FoundInvite> {
    const [invite] = await this.database.lookUp<FoundInvite>(FIND, [hash(token)]);
    if (!invite) throw new Problem('invites.not_valid');
    return invite;
  }

  /** @throws Problem 404 for a link that is used, cancelled, unknown or expired */
  async findOpen(token: string): Promise<FoundInvite> {
    const invite = await this.find(token);
    if (invite.closed || invite.expiresAt <= this.clock.now()) throw new Problem('invites.not_valid');
    return invite;
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
