import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Trainer } from '../../support/people.js';
import { rounds } from '../../support/rounds.js';

/** The outcome of an attempt that is not answered within this time is unknown. */
export const ANSWERED_WITHIN_MS = 20_000;
const RETRY_MS = 30;
const PATIENCE_MS = 180_000;
/** About how many commands are repeated again; in a long run all. */
const REPEATED_AGAIN = rounds(30, 1_000_000);

/** The answer that the client got to one attempt. */
export interface Attempt {
  /** Id of its request; it is also in the events that the attempt recorded. */
  id: string;
  /** Undefined if the connection broke or there was no answer. */
  status?: number;
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  /** The system's error code, such as ECONNREFUSED, if there is no status. */
  error?: string;
}

/** A command with all its attempts. */
export interface SentCommand {
  trainer: Trainer;
  method: string;
  /** Relative to /api/v1. */
  path: string;
  body: unknown;
  key: string;
  attempts: Attempt[];
  /**
   * `sent` until the first attempt ends; `unknown` while no attempt was accepted or refused, so that there may be an effect.
   */
  outcome: 'sent' | 'acknowledged' | 'refused' | 'unknown';
  /** The attempt that was answered with success. */
  acknowledged?: Attempt;
  /** The client does not retry: an unknown outcome stays unknown. */
  abandoned: boolean;
}

/** Every command that was sent, with the answers that its client got. */
export class History {
  readonly commands: SentCommand[] = [];
  /** Wrong answers, as texts. */
  readonly complaints: string[] = [];
  private readonly agent: Agent;
  /** How many commands were there at the last `repeat`. */
  private repeated = 0;

  /** `keepAlive`: connections are reused, as browsers do. */
  constructor({ keepAlive = true } = {}) {
    this.agent = new Agent({ keepAlive, maxSockets: Infinity });
  }

  /** Adds a command that is about to be sent. */
  command(trainer: Trainer, method: string, path: string, body?: unknown): SentCommand {
    const key = randomUUID();
    const command: SentCommand = {
      trainer,
      method,
      path,
      body,
      key,
      attempts: [],
      outcome: 'sent',
      abandoned: false,
    };
    this.commands.push(command);
    return command;
  }

  /** One attempt at this origin, with the command's key. */
  async attempt(command: SentCommand, url: string): Promise<Attempt> {
    const attempt = { id: `${command.key}.${command.attempts.length}`, headers: {} };
    command.attempts.push(attempt);
    Object.assign(attempt, await this.send(command, url, attempt.id));
    this.learn(command, attempt);
    return attempt;
  }

  /** Retries at one origin after the other until the command is accepted or refused; throws if that takes too long. */
  async insist(command: SentCommand, urls: () => readonly string[]): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (let turn = 0; ; turn += 1) {
      const all = urls();
      const attempt = await this.attempt(command, all[turn % all.length]!);
      if (isDecided(attempt)) return;
      if (Date.now() > end) throw new Error(`${said(command)} is not answered: ${JSON.stringify(attempt)}`);
      await delay(RETRY_MS);
    }
  }

  /** Retries commands with an unknown outcome, unless they are abandoned. */
  async settle(urls: () => readonly string[]): Promise<void> {
    await this.each(
      this.commands.filter(({ outcome, abandoned }) => outcome === 'unknown' && !abandoned),
      (command) => this.insist(command, urls),
    );
  }

  /**
   * Sends acknowledged commands once more: the answer must be the same, without a second effect. Those that an earlier call has
   * repeated are tried in part.
   */
  async repeat(urls: () => readonly string[]): Promise<void> {
    const step = Math.ceil(this.repeated / REPEATED_AGAIN);
    const tried = this.commands.filter((_, n) => n >= this.repeated || n % step === 0);
    this.repeated = this.commands.length;
    await this.each(
      tried.filter(({ outcome }) => outcome === 'acknowledged'),
      (command) => this.insist(command, urls),
    );
  }

  private async each(commands: SentCommand[], work: (command: SentCommand) => Promise<void>): Promise<void> {
    const waiting = commands.values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const command of waiting) await work(command);
      }),
    );
  }

  private learn(command: SentCommand, attempt: Attempt): void {
    const { status, headers, body } = attempt;
    if (!isDecided(attempt)) {
      if (command.outcome === 'sent') command.outcome = 'unknown';
      if (status === 503 && !(Number(headers['retry-after']) > 0))
        this.complaints.push(`${said(command)} was answered 503 without Retry-After`);
      if (status !== undefined && status !== 503)
        this.complaints.push(`${said(command)} was answered ${status}: ${JSON.stringify(body)}`);
      return;
    }
    const before = command.acknowledged;
    if (status! >= 300) {
      if (before) this.complaints.push(`${said(command)} was acknowledged and then refused: ${status}`);
      else command.outcome = 'refused';
      return;
    }
    command.outcome = 'acknowledged';
    command.acknowledged ??= attempt;
    if (before && !isDeepStrictEqual(told(before), told(attempt)))
      this.complaints.push(
        `${said(command)} was answered ${JSON.stringify(told(attempt))} after ${JSON.stringify(told(before))}`,
      );
  }

  private send(
    { trainer, method, path, body, key }: SentCommand,
    url: string,
    requestId: string,
  ): Promise<Partial<Attempt>> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve) => {
      const broken = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message });
      const sent = request(`${url}/api/v1${path}`, {
        method,
        agent: this.agent,
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
        headers: {
          Authorization: `Bearer ${trainer.accessToken}`,
          'Rende-Tenant': trainer.tenantId,
          'Idempotency-Key': key,
          'X-Request-Id': requestId,
          ...(text && { 'Content-Type': 'application/json' }),
          'Content-Length': Buffer.byteLength(text),
        },
      });
      sent.on('error', broken);
      sent.on('response', (response) => {
        const { statusCode: status, headers } = response;
        let received = '';
        response.on('error', broken);
        response.setEncoding('utf8').on('data', (part: string) => (received += part));
        response.on('end', () => resolve({ status, headers, body: JSON.parse(received) as unknown }));
      });
      sent.end(text);
    });
  }
}

/** Whether the command was accepted or refused: as far as its client knows, a busy or failing server has done neither. */
function isDecided({ status }: Attempt): boolean {
  return status !== undefined && status < 500 && status !== 429;
}

/** The parts of an answer that must be the same for all attempts. */
function told({ status, headers, body }: Attempt) {
  return { status, position: headers['rende-position'], body };
}

/** The name of a command in complaints. */
export function said({ method, path, key }: SentCommand): string {
  return `${method} ${path} (${key})`;
}
