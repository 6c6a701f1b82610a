import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { Config } from '../config/env.js';
import { Database } from '../database/database.js';
import { plural } from '../plural.api.js';
import { logSecurity, originOf } from '../ops/security-log.js';
import { addressKey, anonymousAddress } from './address.js';
import type { RateLimitOptions } from './calls.api.js';
import { Problem } from './problem.js';
import { routeConfig } from './route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What `@RateLimit` says. */
    rateLimit?: RateLimitOptions;
  }
}

/** A sign-in takes about six points, so waiting for a Redis that does not answer must be short. */
const COMMAND_BOUND_MS = 150;
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/**
 * Counts requests across all processes, in Redis where configured, otherwise in Postgres. While the store is unreachable,
 * each process counts in memory, as it always does `byProcess`.
 */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  private readonly redis: Redis | undefined;
  private readonly limiters = new Map<string, RateLimiterAbstract>();
  private readonly fingerprintKey: Buffer;

  constructor(
    config: Config,
    private readonly database: Database,
  ) {
    this.fingerprintKey = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'http: rate limits', 32));
    this.redis =
      config.redisUrl === undefined
        ? undefined
        : new Redis(config.redisUrl, { enableOfflineQueue: false, commandTimeout: COMMAND_BOUND_MS });
    // Its failures surface through the limiter, which then counts in memory.
    this.redis?.on('error', () => undefined);
  }

  /**
   * Takes one point from `key`, such as an address or an account, and tells the caller how many are left.
   * @throws Problem `rate_limited` (429) where none is left
   */
  async consume(options: RateLimitOptions, key: string, reply: FastifyReply): Promise<void> {
    const { name } = options;
    try {
      const taken = await this.take(options, key);
      if (!options.isShared) this.tell(reply, options, taken);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      this.tell(reply, options, refused);
      const { request } = reply;
      logSecurity('limit_reached', { limit: name, userId: request.caller?.userId }, originOf(request));
      throw new Problem('rate_limited', {
        retryAfter: Math.ceil(refused.msBeforeNext / 1000),
        type: QUOTA_EXCEEDED,
        'violated-policies': [name],
        detail: `Tente de novo em ${waitInWords(refused.msBeforeNext)}.`,
      });
    }
  }

  /** Takes one point from `key`; false where none was left. The caller is told nothing. */
  async isWithin(options: RateLimitOptions, key: string): Promise<boolean> {
    try {
      await this.take(options, key);
      return true;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return false;
    }
  }

  /**
   * The key under which an address is counted and stored: its anonymised form and a keyed fingerprint, from which the address
   * cannot be recovered without the master key.
   */
  addressKey(address: string | undefined, bits: 48 | 56 | 64 = 64): string {
    const fingerprint = createHmac('sha256', this.fingerprintKey)
      .update(addressKey(address, bits))
      .digest('base64url');
    return `${anonymousAddress(address) ?? 'unknown'} ${fingerprint.slice(0, 22)}`;
  }

  /** Returns a point that `consume` took, for a request that turned out not to count. */
  async refund(options: RateLimitOptions, key: string): Promise<void> {
    await this.limiter(options).reward(key);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** A window that ends too far in the future was started by a wrong clock, and is reset. */
  private async take(options: RateLimitOptions, key: string): Promise<RateLimiterRes> {
    const limiter = this.limiter(options);
    const isImpossible = ({ msBeforeNext }: RateLimiterRes) => msBeforeNext > options.seconds * 1000;
    try {
      const taken = await limiter.consume(key);
      if (!isImpossible(taken)) return taken;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes && isImpossible(refused))) throw refused;
    }
    await limiter.delete(key);
    return limiter.consume(key);
  }

  private limiter(options: RateLimitOptions): RateLimiterAbstract {
    const { name, points, seconds } = options;
    // Two limits of one route may have the same name in the headers.
    const known = `${name} ${points} ${seconds}`;
    let limiter = this.limiters.get(known);
    if (!limiter) this.limiters.set(known, (limiter = this.newLimiter(options)));
    return limiter;
  }

  private newLimiter({ name, points, seconds, byProcess }: RateLimitOptions): RateLimiterAbstract {
    const settings = { keyPrefix: `rate:${name}`, points, duration: seconds };
    const inMemory = new RateLimiterMemory(settings);
    if (byProcess) return inMemory;
    if (this.redis)
      return new RateLimiterRedis({ ...settings, insuranceLimiter: inMemory, storeClient: this.redis });
    return new RateLimiterPostgres({
      ...settings,
      insuranceLimiter: inMemory,
      storeClient: this.database.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
    });
  }

  /** Headers of draft-ietf-httpapi-ratelimit-headers-10. */
  private tell(
    reply: FastifyReply,
    { name, points, seconds }: RateLimitOptions,
    state: RateLimiterRes,
  ): void {
    void reply.header('RateLimit-Policy', `"${name}";q=${points};w=${seconds}`);
    void reply.header(
      'RateLimit',
      `"${name}";r=${state.remainingPoints};t=${Math.ceil(state.msBeforeNext / 1000)}`,
    );
  }
}

/** Limits a route, by the caller's address by default. */
export function RateLimit(rateLimit: RateLimitOptions): MethodDecorator {
  return routeConfig({ rateLimit });
}

function waitInWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return plural(seconds, 'segundo', 'segundos');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? plural(minutes, 'minuto', 'minutos')
    : plural(Math.ceil(minutes / 60), 'hora', 'horas');
}
