import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import type { Identity } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { hashOf, LinkTokens } from '../../platform/link-tokens.js';

const FIND = `select tenant_id as "tenantId", link_id as "linkId", student_id as "studentId", timezone,
    expires_at as "expiresAt"
  from auth.find_area_link($1)`;
const BY_ADDRESS = { name: 'area-links', points: 600, seconds: 600 };

interface FoundLink {
  tenantId: string;
  linkId: string;
  studentId: string;
  timezone: string;
  expiresAt: Date;
}

/**
 * Links that show a student's area without a sign-in. Their tokens are sent in the header `Rende-Link`, so that they do not
 * appear in access logs.
 */
@Injectable()
export class AreaLinks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tokens: LinkTokens,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  urlOf(linkId: string): string {
    return `${this.config.siteUrl}/minha-area/${this.tokens.tokenOf('student-area', linkId)}`;
  }

  /** SHA-256, in hexadecimal. */
  hashOf(linkId: string): string {
    return this.tokens.storedHashOf('student-area', linkId);
  }

  /**
   * The caller that a link identifies: its student.
   * @throws Problem 404 for a link that was ended, has expired or never existed
   */
  async identify(token: string, request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
    await this.limits.consume(BY_ADDRESS, this.limits.addressKey(request.ip), reply);
    const [link] = await this.database.lookUp<FoundLink>(FIND, [hashOf(token)]);
    if (!link || link.expiresAt <= this.clock.now()) throw new Problem('area_links.not_valid');
    const { tenantId, linkId, studentId, timezone } = link;
    return {
      tenantId,
      userId: studentId,
      sessionId: linkId,
      role: 'aluno',
      studentId,
      timezone,
      byLink: true,
    };
  }
}
