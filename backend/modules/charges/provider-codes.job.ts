import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { describeError } from '../../platform/ops/logger.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import type { ChargeEvent } from './charge.js';
import type { PixAccountEvent } from './pix-account.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { askForAll, askForOne, CodeTurns, type Turn } from './code-turns.service.js';
import { type Call, failureOf, ProviderCodes } from './provider-codes.service.js';
import type { ProviderConnectionEvent } from './provider-connection.js';

/** Sweep for due checks: after lost jobs and failures, and for payments whose notice was lost. */
export const dueCodeTurns = defineJob({ name: 'pix-codes-due', schedule: { everyMs: 30_000 } });

/** Does the due checks at a tenant's provider; `test`: also tests the connection. */
export const visitProvider = defineJob({
  name: 'pix-codes',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid(), test: z.boolean() }),
  sweptBy: dueCodeTurns,
});

const CHARGE_EVENTS = [
  'ChargeIssued',
  'ChargeChanged',
  'ChargeCancelled',
  'ChargeRestored',
  'ChargePaid',
  'ChargePaymentReversed',
  'ChargeRefunded',
] satisfies ChargeEvent['type'][];
const WHOLE_EVENTS = [
  ...(['PixProviderConnected', 'PixProviderDisconnected'] satisfies ProviderConnectionEvent['type'][]),
  ...(['PixKeySet', 'PixKeyRemoved'] satisfies PixAccountEvent['type'][]),
];
export const codeTurns = defineReaction({ name: 'pix-codes', events: [...CHARGE_EVENTS, ...WHOLE_EVENTS] });

/**
 * Limits: concurrent tenants in one process, and number and duration of the checks for a tenant in one run, however
 * slow the provider is.
 */
const AT_ONCE = 4;
const MOST_IN_A_ROW = 50;
const MOST_MS_IN_A_ROW = 20_000;

const zone = statement((db) => db.selectFrom('tenants').select('timezone').compile());

/** Decides when charges' codes are checked at the provider, and limits it. */
@Injectable()
export class ProviderCodesJob implements OnModuleInit {
  private readonly logger = new Logger(ProviderCodesJob.name);

  constructor(
    private readonly database: Database,
    private readonly codes: ProviderCodes,
    private readonly queues: Queues,
    private readonly reactions: Reactions,
    private readonly client: ApiPixClient,
    private readonly turns: CodeTurns,
    private readonly hints: HintBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(visitProvider, ({ tenantId, test }) => this.visit(tenantId, test));
    this.queues.handle(dueCodeTurns, () => this.visitDue());
    this.reactions.handle(codeTurns, async ({ event: { type, tenantId, data }, query }) => {
      const now = this.clock.now();
      const asked = WHOLE_EVENTS.some((each) => each === type)
        ? await askForAll(query, tenantId, now)
        : await askForOne(query, tenantId, data.charge_id as string, now);
      const test = type === 'PixProviderConnected';
      return test || asked ? () => this.wake(tenantId, test) : undefined;
    });
  }

  /** If this job is lost, the next sweep finds the due checks. */
  wake(tenantId: string, test: boolean): void {
    this.queues.add(visitProvider, { tenantId, test }).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up for a provider lost', tenantId, err: describeError(error) });
    });
  }

  /** Visits due tenants, a few at a time; each visit is limited in time and number of checks. */
  async visitDue(): Promise<void> {
    const due = (await this.turns.due(this.clock.now())).values();
    const failures: unknown[] = [];
    const inTurn = async () => {
      for (const tenantId of due)
        await this.visit(tenantId, false).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
    if (failures.length > 0) throw failures[0];
  }

  async visit(tenantId: string, test: boolean): Promise<void> {
    const [tenant] = await this.database.read(tenantId, zone({}));
    if (!tenant) return;
    const context = () => nobodyOf(tenantId, tenant.timezone);
    const call: Call = { connection: null, failure: null, silent: new Map() };
    const began = performance.now();
    try {
      if (test) await this.test(context(), call);
      for (let n = 0; ; n += 1) {
        // Let other tenants go first.
        if (n === MOST_IN_A_ROW || performance.now() - began > MOST_MS_IN_A_ROW)
          return this.wake(tenantId, false);
        const now = this.clock.now();
        const turn = await this.turns.claim(tenantId, now);
        if (!turn) return;
        await this.take(context(), turn, call, now);
      }
    } finally {
      if (call.connection) {
        await this.turns.note(tenantId, call.connection, this.clock.now(), call.failure);
        this.tell(tenantId);
      }
    }
  }

  /** Tests whether the provider accepts the credentials. */
  private async test(context: CommandContext, call: Call): Promise<void> {
    call.connection = await this.codes.connectionOf(context);
    if (!call.connection) return;
    await this.client.check(call.connection).catch((error: unknown) => {
      call.failure = failureOf(error);
    });
  }

  /** Checks one charge. A failure that concerns only this charge does not stop the visit. */
  private async take(context: CommandContext, turn: Turn, call: Call, now: Date): Promise<void> {
    const { tenantId } = context;
    const { chargeId } = turn;
    try {
      const next = await this.codes.settle(context, turn, call);
      await (next === null ? this.turns.done(tenantId, turn) : this.turns.later(tenantId, turn, next));
    } catch (error) {
      const failure = failureOf(error);
      await this.turns.failed(tenantId, chargeId, now, failure, call.connection);
      if (!failure.isOfOneCharge) call.failure = failure;
      this.tell(tenantId);
    }
  }

  /** Sends a hint for data that is in no event, and so without a position. */
  private tell(tenantId: string): void {
    const topics = new Set(['settings', 'charges']);
    this.hints.projected([{ tenantId, position: 0, topics, students: new Map() }]);
  }
}
