import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { type Origin, originOf } from '../../../platform/ops/security-log.js';
import type { Caller } from '../auth/auth-controller.js';
import { Secrets } from '../secrets/secrets.service.js';

const MAX_USER_AGENT = 512;
const SECRET_BYTES = 32;
/** The longest time for which browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 3600;

const IS_KNOWN = `select from auth.known_devices k join auth.users u on u.id = k.user_id
  where u.email = $1 and k.device = $2`;

/** The stored data of a device. */
export interface Device extends Origin {
  userAgent: string | null;
  /** Fingerprint of the secret in the browser's cookie; null without a cookie. */
  key: Buffer | null;
  /** Sets or prolongs the browser's cookie, and returns its fingerprint. */
  remember(): Buffer;
}

/** Browsers, identified by a random secret in a cookie that scripts cannot read. */
@Injectable()
export class Devices {
  private readonly cookie: string;
  private readonly attributes: string;

  constructor(
    { siteUrl }: Config,
    private readonly secrets: Secrets,
    private readonly database: Database,
  ) {
    const isSecure = siteUrl.startsWith('https:');
    this.cookie = isSecure ? '__Host-rende-device' : 'rende-device';
    this.attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  of({ request, reply }: Caller): Device {
    const { headers } = request;
    const sent = this.secretIn(headers.cookie);
    return {
      ...originOf(request),
      userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
      key: sent === null ? null : this.secrets.fingerprint(sent),
      remember: () => {
        const secret = sent ?? randomBytes(SECRET_BYTES).toString('base64url');
        void reply.header('Set-Cookie', `${this.cookie}=${secret}; ${this.attributes}`);
        return this.secrets.fingerprint(secret);
      },
    };
  }

  /** Whether somebody has signed in to the account of the address with this browser before. */
  async isKnown(email: string, device: Buffer | null): Promise<boolean> {
    const known = await this.database.query(IS_KNOWN, [email, device]);
    return known.length > 0;
  }

  /** The secret in our cookie; null without a valid one. */
  private secretIn(header = ''): string | null {
    for (const pair of header.split(';')) {
      const [name, value = ''] = pair.trim().split('=', 2);
      if (name === this.cookie && /^[\w-]{43}$/.test(value)) return value;
    }
    return null;
  }
}
