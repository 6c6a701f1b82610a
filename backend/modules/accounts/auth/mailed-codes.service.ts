import { Injectable } from '@nestjs/common';
import { Problem } from '../../../platform/http/problem.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthError } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import type { Caller } from './auth-controller.js';
import {
  type AskedBy,
  type MailToken,
  type MailTokenKind,
  MailTokens,
  wrongCode,
} from './mail-tokens.service.js';

const SIX_DIGITS = /^\d{6}$/;
const ORDER: readonly AskedBy[] = ['this browser', 'others'];

/**
 * Codes of six digits. They are compared first with the mail that the same browser requested, so that guesses of strangers use up
 * only codes of their own mails; then with mails that others requested, for a user who types the code on another device. Where
 * no mail is pending, nothing is counted.
 */
@Injectable()
export class MailedCodes {
  constructor(
    private readonly tokens: MailTokens,
    private readonly limits: AuthLimits,
    private readonly devices: Devices,
  ) {}

  /** @throws AuthError 403 `otp_expired`, Problem `rate_limited`: the same whether or not the address is known */
  async find(
    kinds: readonly MailTokenKind[],
    email: string,
    digits: string,
    caller: Caller,
  ): Promise<MailToken> {
    if (!SIX_DIGITS.test(digits)) throw wrongCode();
    const device = this.devices.of(caller).key;
    const waiting = await this.tokens.waiting(email, device);
    let refusal: AuthError | Problem | undefined;
    for (const askedBy of ORDER.filter((each) => waiting[each])) {
      try {
        return await this.limits.tryDigits(askedBy, email, caller, () =>
          this.tokens.byDigits(askedBy, kinds, digits, { email, device }),
        );
      } catch (error) {
        if (!(error instanceof AuthError || error instanceof Problem)) throw error;
        refusal ??= error;
      }
    }
    throw refusal ?? wrongCode();
  }
}
