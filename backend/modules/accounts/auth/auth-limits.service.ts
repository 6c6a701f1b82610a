import { Injectable } from '@nestjs/common';
import { addressKey, networkKey } from '../../../platform/http/address.js';
import { Problem } from '../../../platform/http/problem.js';
import { RateLimits } from '../../../platform/http/rate-limit.js';
import type { RateLimitOptions } from '../../../platform/http/calls.api.js';
import { Secrets } from '../secrets/secrets.service.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthError } from './auth-error.js';
import type { Caller } from './auth-controller.js';
import { Guessing } from './guessing.service.js';
import type { AskedBy } from './mail-tokens.service.js';

/**
 * What a limit is counted by: an account, an account and the caller's address, or an account as used by its owner (signed in, or
 * with a browser that has signed in to it before). Attempts of strangers do not count against the owner.
 */
type Scope = 'account' | 'account and address' | 'owner';

/** Mails that can be requested without a sign-in, by their route. */
export type MailKind = 'otp' | 'recover' | 'resend' | 'reauthenticate' | 'email-change';

interface AccountLimit extends RateLimitOptions {
  scope: Scope;
}

/** Limits are counted by account and address where an exhausted limit would lock the owner out. */
const SIGN_UPS: AccountLimit[] = [
  { name: 'signup-by-account', points: 10, seconds: 600, scope: 'account and address' },
];
const MAIL_PAUSE: AccountLimit = {
  name: 'mail-by-account-and-address',
  points: 1,
  seconds: 60,
  scope: 'account and address',
};
/**
 * For each kind of mail. The window is as long as a mail's link is valid: when the limit is reached, a valid link has been sent,
 * which works in any browser.
 */
const mailsOf = (kind: MailKind): AccountLimit[] => [
  MAIL_PAUSE,
  { name: `${kind}-mail-by-account`, points: 5, seconds: 600, scope: 'account' },
];
/** Counted by account and address, so that others behind the same address have limits of their own. */
const SIGN_UP_MAILS: AccountLimit[] = [
  { ...MAIL_PAUSE, name: 'signup-mail-by-account-and-address' },
  { name: 'signup-mail-by-account', points: 5, seconds: 600, scope: 'account' },
];
const MAILS_OF_OWNER: AccountLimit[] = [{ name: 'mail-by-owner', points: 10, seconds: 600, scope: 'owner' }];
/** Mails to the new address, when a signed-in user changes the e-mail address. */
const NEW_ADDRESS_MAILS: AccountLimit[] = [
  { name: 'mail-by-new-address', points: 5, seconds: 600, scope: 'account' },
];
/** Only wrong passwords count: the points of a right one are returned. */
const WRONG_PASSWORDS: AccountLimit[] = [
  { name: 'password-by-account', points: 20, seconds: 600, scope: 'account and address' },
];
const WRONG_PASSWORDS_OF_OWNER: AccountLimit[] = [
  { name: 'password-by-owner', points: 20, seconds: 600, scope: 'owner' },
];
/** Shared by all strangers. When it is exhausted, known browsers and mailed codes still work. */
const WRONG_PASSWORDS_OF_STRANGERS: AccountLimit = {
  name: 'password-by-strangers',
  points: 50,
  seconds: 3600,
  isShared: true,
  scope: 'account',
};
const WRONG_PASSWORDS_BY_ADDRESS: RateLimitOptions = {
  name: 'password-by-address',
  points: 100,
  seconds: 600,
  isShared: true,
};
/** By IPv6 /48: one customer may have 65,536 of the /64 networks by which the other limits count. */
const WRONG_PASSWORDS_BY_NETWORK: RateLimitOptions = {
  name: 'password-by-network',
  points: 500,
  seconds: 600,
  isShared: true,
};
/**
 * Six digits can be guessed, so all strangers share the limit of an account: one for codes of mails that they requested
 * themselves, another for codes that others requested. Links and passwords still work.
 */
const WRONG_DIGITS: Record<AskedBy, AccountLimit[]> = {
  'this browser': [{ name: 'digits-by-account', points: 20, seconds: 3600, scope: 'account' }],
  others: [{ name: 'digits-of-others-by-account', points: 20, seconds: 3600, scope: 'account' }],
};
const WRONG_DIGITS_OF_OWNER: AccountLimit[] = [
  { name: 'digits-by-owner', points: 20, seconds: 3600, scope: 'owner' },
];

/**
 * Wrong codes of a second factor, which only somebody with the password can try. Recovery codes cannot be guessed: they still
 * work when the limit of the app's codes is reached.
 */
const WRONG_FACTORS: Record<'totp' | 'recovery_code', AccountLimit[]> = {
  totp: [{ name: 'totp-by-account', points: 10, seconds: 3600, scope: 'account' }],
  recovery_code: [{ name: 'recovery-code-by-account', points: 20, seconds: 3600, scope: 'account' }],
};

/** Origin of an attempt. `owner` identifies the browser or the signed-in user of the owner; null for a stranger. */
interface Attempt {
  account: string;
  owner: string | null;
  caller: Caller;
}

/** Limits for attempts on one account. Addresses without an account are counted in the same way. */
@Injectable()
export class AuthLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
    private readonly devices: Devices,
    private readonly guessing: Guessing,
  ) {}

  /** @throws Problem `rate_limited` */
  async countSignUp(email: string, caller: Caller): Promise<void> {
    await this.take(SIGN_UPS, { account: email, owner: null, caller });
  }

  /** @throws AuthError 429 `over_email_send_rate_limit` */
  async countMail(kind: MailKind, email: string, caller: Caller): Promise<void> {
    const attempt = await this.attemptOn(email, caller);
    await this.takeForMail(attempt.owner === null ? mailsOf(kind) : MAILS_OF_OWNER, attempt);
  }

  /**
   * For the new address that a signed-in user wants.
   * @throws AuthError 429 `over_email_send_rate_limit`
   */
  async countMailToNewAddress(email: string, caller: Caller): Promise<void> {
    await this.takeForMail(NEW_ADDRESS_MAILS, { account: email, owner: null, caller });
  }

  /** Whether a sign-up may send its own mail. It is counted apart from all other mails. */
  async mayMailSignUp(email: string, caller: Caller): Promise<boolean> {
    try {
      await this.take(SIGN_UP_MAILS, { account: email, owner: null, caller });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
  }

  /**
   * Runs an attempt with a password; only one that throws counts.
   * @throws Problem `rate_limited` without running it
   */
  async tryPassword<Result>(email: string, caller: Caller, run: () => Promise<Result>): Promise<Result> {
    const attempt = await this.attemptOn(email, caller);
    if (attempt.owner !== null) return this.run(WRONG_PASSWORDS_OF_OWNER, attempt, run);
    const { ip } = caller.request;
    const places: [RateLimitOptions, string][] = [
      [WRONG_PASSWORDS_BY_ADDRESS, this.limits.addressKey(ip)],
      [WRONG_PASSWORDS_BY_NETWORK, this.secrets.fingerprint(networkKey(ip)).toString('base64url')],
    ];
    // Attempts that are refused by the limit of one address do not count against limits that are shared.
    return this.run(WRONG_PASSWORDS, attempt, async () => {
      for (const [limit, place] of places) await this.limits.consume(limit, place, caller.reply);
      await this.takeOfStrangers(attempt);
      const result = await run();
      await this.giveBack([WRONG_PASSWORDS_OF_STRANGERS], attempt);
      for (const [limit, place] of places) await this.limits.refund(limit, place);
      return result;
    });
  }

  /** The same for the digits of a mail. */
  async tryDigits<Result>(
    askedBy: AskedBy,
    email: string,
    caller: Caller,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const attempt = await this.attemptOn(email, caller);
    return this.run(attempt.owner === null ? WRONG_DIGITS[askedBy] : WRONG_DIGITS_OF_OWNER, attempt, run);
  }

  /** The same for a second factor. */
  tryFactor<Result>(
    factor: 'totp' | 'recovery_code',
    userId: string,
    caller: Caller,
    run: () => Promise<Result>,
  ): Promise<Result> {
    return this.run(WRONG_FACTORS[factor], { account: userId, owner: null, caller }, run);
  }

  private async attemptOn(email: string, caller: Caller): Promise<Attempt> {
    return { account: email, owner: await this.ownerOf(email, caller), caller };
  }

  private async ownerOf(email: string, caller: Caller): Promise<string | null> {
    const person = caller.request.caller;
    if (person) return `person ${person.userId}`;
    const { key } = this.devices.of(caller);
    const isKnown = await this.devices.isKnown(email, key);
    return isKnown ? `device ${email} ${key!.toString('base64url')}` : null;
  }

  private async takeForMail(limits: readonly AccountLimit[], attempt: Attempt): Promise<void> {
    try {
      await this.take(limits, attempt);
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

  private async takeOfStrangers(attempt: Attempt): Promise<void> {
    try {
      await this.take([WRONG_PASSWORDS_OF_STRANGERS], attempt);
    } catch (error) {
      if (error instanceof Problem) await this.guessing.note(attempt.account);
      throw error;
    }
  }

  private async run<Result>(
    limits: readonly AccountLimit[],
    attempt: Attempt,
    run: () => Promise<Result>,
  ): Promise<Result> {
    await this.take(limits, attempt);
    const result = await run();
    await this.giveBack(limits, attempt);
    return result;
  }

  private async take(limits: readonly AccountLimit[], attempt: Attempt): Promise<void> {
    for (const limit of limits)
      await this.limits.consume(limit, this.key(limit, attempt), attempt.caller.reply);
  }

  private async giveBack(limits: readonly AccountLimit[], attempt: Attempt): Promise<void> {
    for (const limit of limits) await this.limits.refund(limit, this.key(limit, attempt));
  }

  private key({ scope }: AccountLimit, { account, owner, caller }: Attempt): string {
    const counted = {
      account,
      'account and address': `${account} ${addressKey(caller.request.ip)}`,
      owner: owner ?? account,
    }[scope];
    return this.secrets.fingerprint(counted).toString('base64url');
  }
}
