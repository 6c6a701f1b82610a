import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Trainer } from '../../support/people.js';

/** A try that nobody answered within this time counts as unknown. */
export const ANSWERED_WITHIN_MS = 20_000;
const RETRY_MS = 30;
const PATIENCE_MS = 180_000;

/** What the client was told of one try. */
export interface Attempt {
  /** Id of its request, which the events that it recorded carry. */
  id: string;
  /** Undefined where the connection broke or nothing came. */
  status?: number;
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  /** Of the system, such as ECONNREFUSED, where there is no status. */
  error?: string;
}

/** A command with everything that was tried of it. */
export interface SentCommand {
  trainer: Trainer;
  method: string;
  /** Under /api/v1. */
  path: string;
  body: unknown;
  key: string;
  attempts: Attempt[];
  /**
   * `sent` until the first try ends; `unknown` while none was answered with a yes or a no: there may be an effect.
   */
  outcome: 'sent' | 'acknowledged' | 'refused' | 'unknown';
  /** The try that said yes. */
  acknowledged?: Attempt;
  /** Its client does not come back: what is unknown stays so. */
  abandoned: boolean;
}

/** Every command that was sent, and what its client was told. */
export class History {
  readonly commands: SentCommand[] = [];
  /** Answers that should not have been given, in words. */
  readonly complaints: string[] = [];
  private readonly agent: Agent;

  /** `keepAlive`: connections are used again, as browsers do. */
  constructor({ keepAlive = true } = {}) {
    this.agent = new Agent({ keepAlive, maxSockets: Infinity });
  }

  /** Writes down a command that is about to be sent. */
  command(trainer: Trainer, method: string, path: string, body?: unknown): SentCommand {
    const key = randomUUID();
    const command: SentCommand = {
      ...{ trainer, method, path, body, key },
      ...{ attempts: [], outcome: 'sent', abandoned: false },
    };
    this.commands.push(command);
    return command;
  }

  /** One try at this origin, with the command's key. */
  async attempt(command: SentCommand, url: string): Promise<Attempt> {
    const attempt = { id: `${command.key}.${command.attempts.length}`, headers: {} };
    command.attempts.push(attempt);
    Object.assign(attempt, await this.send(command, url, attempt.id));
    this.learn(command, attempt);
    return attempt;
  }

  /** Tries at one origin after the other until there is a yes or a no; throws where that takes too long. */
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

  /** Asks again for what was never answered, unless its client has given up. */
  async settle(urls: () => readonly string[]): Promise<void> {
    await this.each(
      this.commands.filter(({ outcome, abandoned }) => outcome === 'unknown' && !abandoned),
      (command) => this.insist(command, urls),
    );
  }

  /** Sends everything that was acknowledged once more: the answer must be the same, and nothing happens again. */
  async repeat(urls: () => readonly string[]): Promise<void> {
    await this.each(
      this.commands.filter(({ outcome }) => outcome === 'acknowledged'),
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

/** Whether the command was done or refused: a busy or failing server has done neither, as far as its client knows. */
function isDecided({ status }: Attempt): boolean {
  return status !== undefined && status < 500 && status !== 429;
}

/** What an answer says, whichever try it belongs to. */
function told({ status, headers, body }: Attempt) {
  return { status, position: headers['rende-position'], body };
}

/** A command as complaints name it. */
export function said({ method, path, key }: SentCommand): string {
  return `${method} ${path} (${key})`;
}
