import { Injectable } from '@nestjs/common';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import type { Challenge } from 'altcha-lib/v1/types';
import type { FastifyReply } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { Problem } from '../../platform/http/problem.js';
import { type RateLimitOptions, RateLimits } from '../../platform/http/rate-limit.js';
import { VisitorSecrets } from './visitor-secrets.service.js';

/** By address, of pages and what is on them. */
export const LOOKS: RateLimitOptions = { name: 'public-pages', points: 300, seconds: 60, byProcess: true };
/** By address, and by phone under the same name: nobody is to learn that somebody else has tried with that phone. */
const BOOKINGS = { name: 'visitor-bookings', points: 20, seconds: 600 };
const BY_PHONE: RateLimitOptions = { ...BOOKINGS, points: 10, seconds: 3600, isShared: true };
/** Of one trainer, whoever asks and has worked for it where that was due: no more than a queue at the door could need. */
const BY_TRAINER: RateLimitOptions = {
  ...{ name: 'trainer-bookings', points: 600, seconds: 60, isShared: true },
};
/** So many free times asked for in a minute are not all people: each browser has to work for the next ones. */
const CALM: RateLimitOptions = { name: 'calm-bookings', points: 30, seconds: 60, isShared: true };
const PROOF_SECONDS = 600;
/** A proof is good once. */
const ONCE: RateLimitOptions = { name: 'visitor-proofs', points: 1, seconds: PROOF_SECONDS, isShared: true };
/** About a second of a phone's time. */
const MOST_TRIES = 60_000;

/** Of all trainers together: no address that somebody types gets more. */
const MAILS: RateLimitOptions = { name: 'visitor-mails', points: 10, seconds: 86_400, isShared: true };

/** What keeps visitors from taking a trainer's whole week, and from spamming a phone. */
@Injectable()
export class VisitorLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: VisitorSecrets,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 429 */
  address(reply: FastifyReply): Promise<void> {
    return this.limits.consume(BOOKINGS, this.limits.addressKey(reply.request.ip), reply);
  }

  /**
   * Before a free time is asked for. Whoever has not worked where that is due uses up nothing of what others share.
   * @throws Problem 429, or 428 with a challenge where the trainer's page is under attack
   */
  async booking(
    { tenantId, phone, proof }: { tenantId: string; phone: string; proof: string | undefined },
    reply: FastifyReply,
  ): Promise<void> {
    const isCalm = await this.limits.isWithin(CALM, tenantId);
    if (!isCalm && !(proof !== undefined && (await this.isProven(proof))))
      throw new Problem('public.proof_needed', { desafio: await this.challenge() });
    await this.limits.consume(BY_PHONE, this.secrets.phoneKey(tenantId, phone), reply);
    await this.limits.consume(BY_TRAINER, tenantId, reply);
  }

  /** Whether an address that a visitor gave may get one more mail. */
  mail(address: string): Promise<boolean> {
    return this.limits.isWithin(MAILS, this.secrets.addressKey(address));
  }

  /** As ALTCHA has it. */
  private challenge(): Promise<object> {
    const expires = new Date(this.clock.now().getTime() + PROOF_SECONDS * 1000);
    return createChallenge({ hmacKey: this.secrets.proofKey, maxnumber: MOST_TRIES, expires });
  }

  private async isProven(proof: string): Promise<boolean> {
    const isRight = await verifySolution(proof, this.secrets.proofKey, false).catch(() => false);
    if (!isRight) return false;
    const { challenge, salt } = JSON.parse(Buffer.from(proof, 'base64').toString('utf8')) as Challenge;
    const expires = Number(new URLSearchParams(salt.split('?')[1]).get('expires'));
    if (expires * 1000 <= this.clock.now().getTime()) return false;
    // By what was asked: the same solution may be written in many ways.
    return this.limits.isWithin(ONCE, this.secrets.hashOf(challenge).toString('base64url'));
  }
}
