import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/env.js';
import { describeError } from './logger.js';

const CHECK_BOUND_MS = 2000;

export interface Health {
  status: 'ok' | 'unavailable';
  checks: Record<string, 'ok' | 'unavailable'>;
}

/** Whether this process should receive requests: its ports are open, all vital checks pass, and it is not stopping. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private readonly logger = new Logger(Readiness.name);
  private readonly checks = new Map<string, () => Promise<void>>();
  private readonly vital = new Set<string>();
  /** Checks that list incomplete parts by name. */
  private readonly parts = new Map<string, () => Promise<readonly string[]>>();
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * Adds a check, which rejects while its part does not work; it has two seconds. A failing part that is not `vital` is
   * only named: the process stays ready.
   */
  register(name: string, check: () => Promise<void>, { vital = true } = {}): void {
    this.checks.set(name, check);
    if (vital) this.vital.add(name);
  }

  /** Adds a check that lists incomplete parts; the process works without them. */
  registerParts(name: string, list: () => Promise<readonly string[]>): void {
    this.parts.set(name, list);
  }

  async look(): Promise<Health> {
    const isServing = this.host.listening || !this.config.roles.has('api');
    if (this.isStopping || !isServing) return { status: 'unavailable', checks: {} };
    const behind: (readonly string[])[] = [];
    const parts = [...this.parts].map(
      ([name, list]) => [name, async () => void behind.push(await list())] as const,
    );
    const [entries] = await Promise.all([
      Promise.all([...this.checks].map(async ([name, check]) => [name, await this.run(name, check)])),
      Promise.all(parts.map(([name, check]) => this.run(name, check))),
    ]);
    const checks = Object.fromEntries(entries) as Health['checks'];
    for (const name of behind.flat()) checks[name] = 'unavailable';
    const isWell = [...this.vital].every((name) => checks[name] === 'ok');
    return { status: isWell ? 'ok' : 'unavailable', checks };
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  private async run(name: string, check: () => Promise<void>): Promise<'ok' | 'unavailable'> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_BOUND_MS} ms`)), CHECK_BOUND_MS);
    });
    try {
      await Promise.race([check(), bound]);
      return 'ok';
    } catch (error) {
      this.logger.warn({ msg: 'health check failed', check: name, err: describeError(error) });
      return 'unavailable';
    } finally {
      clearTimeout(timer);
    }
  }
}
