import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../../../platform/http/address.js';
import { Problem } from '../../../platform/http/problem.js';
import { type RateLimitOptions, RateLimits } from '../../../platform/http/rate-limit.js';
import { Secrets } from '../secrets/secrets.service.js';
import { AuthError } from './auth-error.js';
import type { Caller } from './caller.js';

/** A limit counts for one account, or for one account as tried from one address. */
type Scope = 'account' | 'account and address';

interface AccountLimit extends RateLimitOptions {
  scope: Scope;
}

/** Points of one account are those of one address where running out would lock somebody out. */
const SIGN_UPS: AccountLimit[] = [
  { name: 'signup-by-account', points: 10, seconds: 600, scope: 'account and address' },
];
/** As a sign-up tells whether a CPF is known, so does a profile. */
const CPFS: AccountLimit[] = [{ name: 'cpf-by-account', points: 10, seconds: 600, scope: 'account' }];
const MAILS: AccountLimit[] = [
  { name: 'mail-by-account-and-address', points: 1, seconds: 60, scope: 'account and address' },
  { name: 'mail-by-account', points: 30, seconds: 3600, scope: 'account' },
];
/** Only wrong ones count: a right one gives its points back. */
const WRONG_PASSWORDS: AccountLimit[] = [
  { name: 'password-by-account', points: 20, seconds: 600, scope: 'account and address' },
];
const WRONG_PASSWORDS_BY_ADDRESS: RateLimitOptions = {
  name: 'password-by-address',
  points: 100,
  seconds: 600,
};
/** Six digits can be guessed, so the whole world shares one account's points. Links and passwords go on working. */
const WRONG_DIGITS: AccountLimit[] = [
  { name: 'digits-by-account', points: 20, seconds: 3600, scope: 'account' },
];

/**
 * Whoever gets as far as a second factor has the password. Recovery codes cannot be guessed, and go on working when the
 * app's codes do not any more.
 */
const WRONG_FACTORS: Record<'totp' | 'recovery_code', AccountLimit[]> = {
  totp: [{ name: 'totp-by-account', points: 10, seconds: 3600, scope: 'account' }],
  recovery_code: [{ name: 'recovery-code-by-account', points: 20, seconds: 3600, scope: 'account' }],
};

/** How often one account may be tried. The typed address counts, whether or not somebody has it. */
@Injectable()
export class AuthLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
  ) {}

  /** @throws Problem `rate_limited` */
  async countSignUp(email: string, caller: Caller): Promise<void> {
    await this.take(SIGN_UPS, email, caller);
  }

  /** @throws Problem `rate_limited` */
  async countCpf(userId: string, caller: Caller): Promise<void> {
    await this.take(CPFS, userId, caller);
  }

  /** @throws AuthError 429 `over_email_send_rate_limit` */
  async countMail(email: string, caller: Caller): Promise<void> {
    try {
      await this.take(MAILS, email, caller);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { retryAfter } = error;
      throw new AuthError(
        429,
        'over_email_send_rate_limit',
        `For security purposes, you can only request this after ${retryAfter} seconds.`,
        { retryAfter },
      );
    }
  }

  /**
   * Runs an attempt with a password; only one that throws counts.
   * @throws Problem `rate_limited` without running it
   */
  async tryPassword<Result>(email: string, caller: Caller, attempt: () => Promise<Result>): Promise<Result> {
    const address = this.limits.addressKey(caller.request.ip);
    await this.limits.consume(WRONG_PASSWORDS_BY_ADDRESS, address, caller.reply);
    await this.take(WRONG_PASSWORDS, email, caller);
    const result = await attempt();
    await this.limits.refund(WRONG_PASSWORDS_BY_ADDRESS, address);
    await this.giveBack(WRONG_PASSWORDS, email, caller);
    return result;
  }

  /** The same for the digits of a mail. */
  tryDigits<Result>(email: string, caller: Caller, attempt: () => Promise<Result>): Promise<Result> {
    return this.attempt(WRONG_DIGITS, email, caller, attempt);
  }

  /** The same for a second factor. */
  tryFactor<Result>(
    factor: 'totp' | 'recovery_code',
    userId: string,
    caller: Caller,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    return this.attempt(WRONG_FACTORS[factor], userId, caller, attempt);
  }

  private async attempt<Result>(
    limits: readonly AccountLimit[],
    account: string,
    caller: Caller,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    await this.take(limits, account, caller);
    const result = await attempt();
    await this.giveBack(limits, account, caller);
    return result;
  }

  private async take(
    limits: readonly AccountLimit[],
    account: string,
    { request, reply }: Caller,
  ): Promise<void> {
    for (const limit of limits) await this.limits.consume(limit, this.key(limit, account, request), reply);
  }

  private async giveBack(
    limits: readonly AccountLimit[],
    account: string,
    { request }: Caller,
  ): Promise<void> {
    for (const limit of limits) await this.limits.refund(limit, this.key(limit, account, request));
  }

  private key({ scope }: AccountLimit, account: string, { ip }: FastifyRequest): string {
    const counted = scope === 'account' ? account : `${account} ${addressKey(ip)}`;
    return this.secrets.fingerprint(counted).toString('base64url');
  }
}
