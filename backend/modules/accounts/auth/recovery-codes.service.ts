import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import { Secrets } from '../secrets/secrets.service.js';
import { AuthError } from './auth-error.js';
import { hasShownFactorJustNow } from './recent-proof.js';

const CODES = 10;
/** Alphabet without characters that are easily confused: ten characters hold 49 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const FORM = /^[2-9a-z]{5}-?[2-9a-z]{5}$/i;

const LOCK = 'select from auth.users where id = $1 for update';
const CLEAR = 'delete from auth.recovery_codes where user_id = $1';
const NEW = 'insert into auth.recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])';
const USE = 'delete from auth.recovery_codes where user_id = $1 and code_hash = $2 returning user_id';
const COUNT = 'select count(*)::int as remaining from auth.recovery_codes where user_id = $1';
const CLEAR_WITHOUT_FACTOR = `delete from auth.recovery_codes where user_id = $1
  and not exists (select from auth.factors where user_id = $1 and verified_at is not null)`;

/** Whether a text has the format of a recovery code, which differs from that of the app's codes. */
export function isRecoveryCode(text: string): boolean {
  return FORM.test(text.trim());
}

/** Codes that replace a code of the authenticator app, once each. They are shown only when they are made. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly hints: HintBus,
  ) {}

  /**
   * Replaces all codes by new ones.
   * @throws AuthError 403 `insufficient_aal` for a session that has not proved a factor recently
   */
  async renew({ userId, sessionId, aal }: VerifiedSession): Promise<string[]> {
    if (aal < 2 || !(await hasShownFactorJustNow(this.database.query, sessionId))) {
      throw new AuthError(403, 'insufficient_aal', 'AAL2 required to create recovery codes');
    }
    const codes = new Set<string>();
    while (codes.size < CODES) codes.add(newCode());
    await this.database.transact(async (query) => {
      await query(LOCK, [userId]);
      await query(CLEAR, [userId]);
      await query(NEW, [userId, [...codes].map((code) => this.hash(userId, code))]);
    });
    this.hints.personChanged(userId);
    return [...codes];
  }

  async remaining({ userId }: VerifiedSession): Promise<number> {
    const [codes] = await this.database.query<{ remaining: number }>(COUNT, [userId]);
    return codes!.remaining;
  }

  /** False for one that is wrong or used. */
  async use(query: Query, userId: string, code: string): Promise<boolean> {
    const [used] = await query(USE, [userId, this.hash(userId, code)]);
    return used !== undefined;
  }

  /** Deletes the codes with the last factor. */
  async clearWithoutFactor(query: Query, userId: string): Promise<void> {
    await query(CLEAR_WITHOUT_FACTOR, [userId]);
  }

  private hash(userId: string, code: string): Buffer {
    return this.secrets.fingerprint(`recovery code ${userId} ${code.trim().toLowerCase().replace('-', '')}`);
  }
}

function newCode(): string {
  const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
