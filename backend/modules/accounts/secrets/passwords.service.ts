import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Config } from '../../../platform/config/env.js';
import { AuthError } from '../auth/auth-error.js';
import { beyondOwnWords, GUESSABLE, isGuessable, type PasswordOwner } from '../passwords.api.js';

/** Argon2id as recommended by OWASP: 19 MiB, two passes. Runs on libuv's threads, never on the main thread. */
const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Concurrent hashes: one core stays free for other requests, and one of the four threads of libuv for other work. */
const MAX_HASHING = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Longest queue of hashes: about ten seconds of work on two cores. */
const MAX_WAITING = 600;
const MAX_LENGTH = 128;

/** Lower case: the international list, and passwords that are common in Brazilian leaks. */
const COMMON = new Set([
  ...dictionary['passwords-common'],
  'corinthians',
  'saopaulo',
  'mudar123',
  'mudar@123',
  'senha1234',
  'senha12345',
  'brasil123',
  'deusefiel',
  'deus123',
  'jesuscristo',
  'familia123',
  'personal',
  'personal123',
  'treino',
  'treino123',
  'academia123',
]);

@Injectable()
export class Passwords {
  private readonly minLength: number;
  private readonly nobodys = hash(randomBytes(16), ARGON2);
  private readonly waiting: (() => void)[] = [];
  private hashing = 0;

  constructor(config: Config) {
    this.minLength = config.passwordMinLength;
  }

  /**
   * @throws AuthError 422 `weak_password` for a password that is too short, very common, or made of known words about its owner;
   *   400 over 128 characters
   */
  refuseWeak(password: string, owner: PasswordOwner): void {
    const length = [...password].length;
    if (length > MAX_LENGTH) {
      throw new AuthError(
        400,
        'validation_failed',
        `Password cannot be longer than ${MAX_LENGTH} characters`,
      );
    }
    if (length < this.minLength) {
      throw weakPassword('length', `Password should be at least ${this.minLength} characters.`);
    }
    if (isGuessable(password, owner, this.minLength)) throw weakPassword('characters', GUESSABLE);
    if (COMMON.has(password.toLowerCase())) {
      throw weakPassword(
        'pwned',
        'Password is known to be weak and easy to guess, please choose a different one.',
      );
    }
    if (COMMON.has(beyondOwnWords(password, owner))) throw weakPassword('characters', GUESSABLE);
  }

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(canonical(password), ARGON2));
  }

  /** Takes as long for an unknown account (`stored` null) as for a known one. */
  matches(stored: string | null, password: string): Promise<boolean> {
    return this.inTurn(async () => {
      const matches = await verify(stored ?? (await this.nobodys), canonical(password));
      return matches && stored !== null;
    });
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.hashing < MAX_HASHING) this.hashing += 1;
    else if (this.waiting.length < MAX_WAITING) await new Promise<void>((go) => this.waiting.push(go));
    else
      throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: 10 });
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.hashing -= 1;
    }
  }
}

/** Unicode normalization, because keyboards compose accented letters differently. */
function canonical(password: string): string {
  return password.normalize('NFKC');
}

function weakPassword(reason: 'length' | 'characters' | 'pwned', message: string): AuthError {
  return new AuthError(422, 'weak_password', message, { body: { weak_password: { reasons: [reason] } } });
}
