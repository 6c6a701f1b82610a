import { Injectable } from '@nestjs/common';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import type { Challenge } from 'altcha-lib/v1/types';
import type { FastifyReply } from 'fastify';
import { Clock } from '../../platform/clock.js';
import type { RateLimitOptions } from '../../platform/http/calls.api.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { attemptsOf, BOOKINGS, type Demand, leastTries, triesFor, wishesOf } from './visitor-demand.js';
import { VisitorSecrets } from './visitor-secrets.service.js';

/** By address: reads of pages and their images. */
export const LOOKS: RateLimitOptions = { name: 'public-pages', points: 300, seconds: 60, byProcess: true };
const BY_PHONE: RateLimitOptions = { ...BOOKINGS, points: 10, seconds: 3600, isShared: true };
/** Times that are held for somebody who has to pay first: nobody holds a trainer's day for nothing. */
const HOLDS: RateLimitOptions = { ...BY_PHONE, name: 'visitor-holds', points: 3 };
/** By trainer, over all visitors who have solved the challenge if there was one: more than any real demand. */
const BY_TRAINER: RateLimitOptions = { name: 'trainer-bookings', points: 600, seconds: 60, isShared: true };
/** By trainer: more attempts in a minute make each browser solve a challenge first, as do many unconfirmed bookings. */
const CALM: RateLimitOptions = { name: 'calm-bookings', points: 30, seconds: 60, isShared: true };
/** By address and trainer. */
const CHALLENGES: RateLimitOptions = { name: 'visitor-challenges', points: 60, seconds: 600, isShared: true };
const PROOF_SECONDS = 600;
/** Each solution is accepted once. */
const ONCE: RateLimitOptions = { name: 'visitor-proofs', points: 1, seconds: PROOF_SECONDS, isShared: true };

/** By recipient, over all trainers. */
const MAILS: RateLimitOptions = { name: 'visitor-mails', points: 10, seconds: 86_400, isShared: true };

/** Limits visitors, so that they can neither take a trainer's whole week nor flood a phone with messages. */
@Injectable()
export class VisitorLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: VisitorSecrets,
    private readonly clock: Clock,
  ) {}

  /** Attempts of an address at a trainer's page, or, before the page is read, at all pages. @throws Problem 429 */
  async address(reply: FastifyReply, tenantId?: string): Promise<void> {
    for (const { limit, key } of this.attempts(reply, tenantId)) await this.limits.consume(limit, key, reply);
  }

  /**
   * Checked before a free time is requested. Requests without a required solution do not count against limits shared with
   * others. @throws Problem 429, or 428 with a challenge while the trainer's page gets too many bookings
   */
  async booking(
    {
      tenantId,
      phone,
      proof,
      demand,
      isHeld = false,
    }: { tenantId: string; phone: string; proof: string | undefined; demand: Demand; isHeld?: boolean },
    reply: FastifyReply,
  ): Promise<void> {
    const isCalm = (await this.limits.isWithin(CALM, tenantId)) && triesFor(demand) === 0;
    if (!isCalm && !(proof !== undefined && (await this.isProven(proof, demand)))) {
      // The same booking comes again with its solution: it counts once.
      const [{ limit, key }] = this.attempts(reply, tenantId) as [{ limit: RateLimitOptions; key: string }];
      await this.limits.consume(CHALLENGES, key, reply);
      await this.limits.refund(limit, key);
      throw new Problem('public.proof_needed', { desafio: await this.challenge(demand) });
    }
    await this.limits.consume(BY_PHONE, this.secrets.phoneKey(tenantId, phone), reply);
    if (isHeld) await this.limits.consume(HOLDS, this.secrets.phoneKey(tenantId, phone), reply);
    await this.limits.consume(BY_TRAINER, tenantId, reply);
  }

  /** A new wish for the waitlist of a trainer. @throws Problem 429 */
  async wish(reply: FastifyReply, tenantId: string): Promise<void> {
    const { ip } = reply.request;
    for (const { limit, key } of wishesOf((bits) => this.limits.addressKey(ip, bits), tenantId))
      await this.limits.consume(limit, key, reply);
  }

  /** Whether one more mail may be sent to an address that a visitor typed. */
  mail(address: string): Promise<boolean> {
    return this.limits.isWithin(MAILS, this.secrets.addressKey(address));
  }

  private attempts({ request: { ip } }: FastifyReply, tenantId?: string) {
    return attemptsOf((bits) => this.limits.addressKey(ip, bits), tenantId);
  }

  /** In the format of ALTCHA. */
  private challenge(demand: Demand): Promise<object> {
    const expires = new Date(this.clock.now().getTime() + PROOF_SECONDS * 1000);
    const maxnumber = leastTries(demand);
    const params = { tries: String(maxnumber) };
    return createChallenge({ hmacKey: this.secrets.proofKey, maxnumber, params, expires });
  }

  private async isProven(proof: string, demand: Demand): Promise<boolean> {
    const isRight = await verifySolution(proof, this.secrets.proofKey, false).catch(() => false);
    if (!isRight) return false;
    const { challenge, salt } = JSON.parse(Buffer.from(proof, 'base64').toString('utf8')) as Challenge;
    const params = new URLSearchParams(salt.split('?')[1]);
    if (Number(params.get('expires')) * 1000 <= this.clock.now().getTime()) return false;
    // Demand may have grown once while an honest browser computed; a hoard of easy solutions is worth nothing.
    if (Number(params.get('tries')) < leastTries(demand) / 2) return false;
    // By the challenge, since one solution can be written in several ways.
    return this.limits.isWithin(ONCE, this.secrets.hashOf(challenge).toString('base64url'));
  }
}
