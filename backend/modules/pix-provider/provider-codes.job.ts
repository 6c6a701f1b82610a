import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { addHours } from 'date-fns';
import { z } from 'zod';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { describeError } from '../../platform/ops/logger.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { charge, type ChargeEvent, dueOf, type KnownCharge } from '../charges/charge.js';
import { crc16 } from '../charges/pix-code.js';
import { pixAccountStream, type PixAccountEvent } from '../charges/pix-account.js';
import { ReceivePix } from '../charges/pix-notices.commands.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { askForAll, askForOne, CodeTurns, type Turn } from './code-turns.service.js';
import type { Cob } from './pix-charges.js';
import {
  type CodeEnd,
  decideEnded,
  decideMade,
  decideRevised,
  lifetimeOf,
  nextLook,
  nextStep,
  type ProviderCode,
  providerCode,
  type ProviderCodeState,
  txidIn,
  type WantedCode,
} from './provider-code.js';
import {
  type Connection,
  connectionOf,
  knowersOf,
  providerConnection,
  type ProviderConnectionEvent,
} from './provider-connection.js';
import { ProviderFailure } from './provider-failure.js';

/** Does what is due with a tenant's provider; `test`: asks it in any case. */
export const visitProvider = defineJob({
  name: 'pix-codes',
  payload: z.strictObject({ tenantId: z.uuid(), test: z.boolean() }),
  concurrency: 4,
});
/** Finds what lost jobs have left, what failed, and payments whose notice was lost. */
export const dueCodeTurns = defineJob({ name: 'pix-codes-due', schedule: { everyMs: 30_000 } });

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

/** Tenants that one process visits at a time, and for how long one goes on, however slow its provider is. */
const AT_ONCE = 4;
const MOST_IN_A_ROW = 50;
const MOST_MS_IN_A_ROW = 20_000;
/** For which a former connection that does not answer is waited for: before a new code is made, and before one that has ended is given up. */
const WAIT_HOURS = 24;
/** To make one where another has ended takes three. */
const MOST_STEPS = 6;
const MOST_NAMES = 36 ** 2;

const zone = statement((db) => db.selectFrom('tenants').select('timezone').compile());

/** What the log says at one moment. */
interface Standing {
  /** Null where none is connected. */
  connection: Connection | null;
  code: ProviderCodeState;
  /** Who may know what became of the code that there is. */
  knowers: Connection[];
  wanted: WantedCode | null;
  studentId: string;
}

/** Whom a visit asked, and why it asks that one no more. */
interface Call {
  connection: Connection | null;
  failure: ProviderFailure | null;
  /** What asking by connections that are no more came to: each that failed is asked once. */
  silent: Map<string, ProviderFailure>;
}

class LookAtCode {
  constructor(readonly context: CommandContext) {}
}
class RecordPixCode {
  constructor(readonly context: CommandContext) {}
}

/**
 * Keeps the codes at the provider as the charges are: each look compares what the log wants with what the provider has, so that it
 * does not matter how often it happens, where a worker ends, or which events led to it.
 */
@Injectable()
export class ProviderCodesJob implements OnModuleInit {
  private readonly logger = new Logger(ProviderCodesJob.name);

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly commands: CommandBus,
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

  /** Where that is lost, the next sweep finds it. */
  wake(tenantId: string, test: boolean): void {
    this.queues.add(visitProvider, { tenantId, test }).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up for a provider lost', tenantId, err: describeError(error) });
    });
  }

  /** A few at a time: each is bounded in time and number. */
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
    const context = () => nobodyOf(tenantId, tenant.timezone, randomUUID());
    const call: Call = { connection: null, failure: null, silent: new Map() };
    const began = performance.now();
    try {
      if (test) await this.test(context(), call);
      for (let n = 0; ; n += 1) {
        // Others have their turn first.
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

  /** Whether the provider lets us in. */
  private async test(context: CommandContext, call: Call): Promise<void> {
    call.connection = await this.connectionOf(context);
    if (!call.connection) return;
    await this.client.check(call.connection).catch((error: unknown) => {
      call.failure = failureOf(error);
    });
  }

  /** What fails for this charge alone leaves the others their turn. */
  private async take(context: CommandContext, turn: Turn, call: Call, now: Date): Promise<void> {
    const { tenantId } = context;
    const { chargeId } = turn;
    try {
      const next = await this.settle(context, turn, call);
      await (next === null ? this.turns.done(tenantId, turn) : this.turns.later(tenantId, turn, next));
    } catch (error) {
      const failure = failureOf(error);
      await this.turns.failed(tenantId, chargeId, now, failure, call.connection);
      if (!failure.isOfOneCharge) call.failure = failure;
      this.tell(tenantId);
    }
  }

  /** Makes the provider have what the charge wants. Answers when it is looked at next; null: not without a reason. */
  private async settle(context: CommandContext, turn: Turn, call: Call): Promise<Date | null> {
    const { chargeId } = turn;
    let looked: string | null = null;
    let seen: Cob | null = null;
    for (let n = 0; n < MOST_STEPS; n += 1) {
      const now = this.clock.now();
      const { connection, code, knowers, wanted, studentId } = await this.standing(context, chargeId);
      const { ativo } = code;
      const txid = txidIn(code, chargeId);
      const about = { charge_id: chargeId, student_id: studentId, txid };
      const end = (motivo: CodeEnd) =>
        this.record(context, chargeId, (state) => decideEnded(state, about, motivo));
      if (ativo && ativo.connection_id !== connection?.connection_id) {
        // Before a code is given up, its own connection is asked about it, whatever it answered about others.
        const isLast = hasWaitedForLong(turn, now);
        const silent = isLast ? new Map<string, ProviderFailure>() : call.silent;
        const ended = await this.takeBack(context, knowers, ativo, silent);
        if (!(ended instanceof ProviderFailure)) await end(ended);
        // The code that there is can still be paid, and whoever is connected next may know of it.
        else if (!connection && knowers.length > 0 && !isOver(ativo, now)) return nextLook(ativo, now);
        else if (ended.isPassing && !isLast) throw new ProviderFailure('api', 'anterior');
        else await end('abandonada');
        continue;
      }
      if (!connection) return null;
      // One that lets nobody in is asked nothing else; what came by the codes of former ones is found all the same.
      if (call.failure) throw call.failure;
      call.connection = connection;
      // First what became of it: a payment whose notice was lost counts before anything else is done.
      if (ativo && looked !== txid) {
        const found = await this.client.find(connection, txid);
        looked = txid;
        await this.receive(context, found);
        seen = found;
        if (found?.status === 'ATIVA') continue;
        await end(found?.status === 'CONCLUIDA' ? 'paga' : 'removida');
        if (found?.status !== 'CONCLUIDA' && wanted) throw new ProviderFailure('api', 'removida');
        continue;
      }
      const step = nextStep(ativo, wanted, now);
      switch (step === 'none' && differs(seen, ativo) ? 'revise' : step) {
        case 'none':
          return ativo && nextLook(ativo, now);
        case 'remove':
          await this.receive(context, await this.client.remove(connection, txid));
          await end('removida');
          break;
        case 'make': {
          if (code.encerrados >= MOST_NAMES) throw new ProviderFailure('api', 'removida');
          const cob = await this.make(connection, txid, wanted!, now);
          if (cob.status === 'ATIVA') {
            const made = { ...about, connection_id: connection.connection_id, ...madeOf(cob, wanted!) };
            await this.record(context, chargeId, (state) => decideMade(state, made));
          } else {
            // It was made before, and nobody remembers: its name is used up.
            await this.receive(context, cob);
            await end(cob.status === 'CONCLUIDA' ? 'paga' : 'removida');
          }
          [looked, seen] = [txid, null];
          break;
        }
        case 'revise': {
          const expiracao = lifetimeOf(wanted!.vencimento, new Date(ativo!.criada_em), now);
          const cob = await this.client.revise(connection, txid, { valor: wanted!.valor, expiracao });
          const terms = termsOf(cob, wanted!, ativo!.pix_copia_e_cola);
          seen = cob;
          await this.record(context, chargeId, (state) => decideRevised(state, txid, terms));
          break;
        }
      }
    }
    // What it is to be keeps changing.
    return this.clock.now();
  }

  /**
   * By a connection that is no more, with what let us in before. One that was paid meanwhile refuses it, and is asked once more; one
   * that lets nobody in is asked no more. Answers how the code ended, or why nobody could say.
   */
  private async takeBack(
    context: CommandContext,
    knowers: readonly Connection[],
    { connection_id, txid }: ProviderCode,
    silent: Call['silent'],
  ): Promise<CodeEnd | ProviderFailure> {
    let why = new ProviderFailure('token', 'credenciais');
    for (const knower of knowers) {
      for (let attempt = 0; attempt < 2 && !silent.has(knower.connection_id); attempt += 1) {
        try {
          const found = await this.client.find(knower, txid);
          // Another account of the same API knows nothing of it.
          if (!found && knower.connection_id !== connection_id) break;
          await this.receive(context, found);
          if (found?.status === 'ATIVA') await this.client.remove(knower, txid);
          return found?.status === 'CONCLUIDA' ? 'paga' : 'removida';
        } catch (error) {
          const failure = failureOf(error);
          if (failure.isOfOneCharge) why = failure;
          else silent.set(knower.connection_id, failure);
        }
      }
      const failed = silent.get(knower.connection_id);
      if (failed && !why.isPassing) why = failed;
    }
    return why;
  }

  /** A code that the provider has by that name already is taken as it is, or as it is made to be; one to another key is removed. */
  private async make(connection: Connection, txid: string, wanted: WantedCode, now: Date): Promise<Cob> {
    const { chave, valor, vencimento, descricao } = wanted;
    const expiracao = lifetimeOf(vencimento, now, now);
    try {
      const asked = { chave, valor, expiracao, solicitacaoPagador: descricao };
      return await this.client.create(connection, txid, asked);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !isTaken(error)) throw error;
      const found = await this.client.find(connection, txid);
      if (!found) throw error;
      if (found.status !== 'ATIVA') return found;
      if (!isSameKey(found.chave, chave)) return this.client.remove(connection, txid);
      return found.valor === valor ? found : this.client.revise(connection, txid, { valor, expiracao });
    }
  }

  /** By the very command that a notice leads to: however often it is told of, it counts once. */
  private async receive(context: CommandContext, cob: Cob | null): Promise<void> {
    for (const pix of cob?.pix ?? []) await this.commands.execute(new ReceivePix(context, pix));
  }

  private async standing(context: CommandContext, chargeId: string): Promise<Standing> {
    const { tenantId } = context;
    let standing: Standing | undefined;
    await this.store.transact(new LookAtCode(context), async (tx) => {
      const [of, code, provider, account] = await Promise.all([
        tx.load(charge, chargeId),
        tx.load(providerCode, chargeId),
        tx.load(providerConnection, tenantId),
        tx.load(pixAccountStream, tenantId),
      ]);
      const connection = connectionOf(provider);
      const wanted = of && connection && wantedOf(of, account?.chave ?? null);
      const knowers = code.ativo ? knowersOf(provider, code.ativo.connection_id) : [];
      const studentId = of?.student_id ?? chargeId;
      standing = { connection, code, knowers, wanted: wanted ?? null, studentId };
      return { id: chargeId };
    });
    return standing!;
  }

  private async connectionOf(context: CommandContext): Promise<Connection | null> {
    let connection: Connection | null = null;
    await this.store.transact(new LookAtCode(context), async (tx) => {
      connection = connectionOf(await tx.load(providerConnection, context.tenantId));
      return { id: context.tenantId };
    });
    return connection;
  }

  private async record(
    context: CommandContext,
    chargeId: string,
    decide: (state: ProviderCodeState) => Parameters<CommandTransaction['append']>[2],
  ): Promise<void> {
    await this.store.transact(new RecordPixCode(context), async (tx) => {
      const state = await tx.load(providerCode, chargeId);
      tx.append(providerCode, chargeId, decide(state) as never);
      return { id: chargeId };
    });
  }

  /** Of what is in no event, so that no projection tells of it: there is no position to wait for. */
  private tell(tenantId: string): void {
    const topics = new Set(['settings', 'charges']);
    this.hints.projected([{ tenantId, position: 0, topics, students: new Map(), lanes: [] }]);
  }
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  throw error;
}

/** Nothing for what is settled or cancelled, and for what was asked of somebody who is forgotten. */
function wantedOf(state: KnownCharge, chave: string | null): WantedCode | null {
  const { cancelada, descricao, vencimento } = state;
  const valor = dueOf(state);
  if (cancelada || valor <= 0 || chave === null || descricao === null) return null;
  return { chave, valor, pago: state.valor - valor, vencimento, descricao };
}

const isOver = ({ expira_em }: ProviderCode, now: Date) => Date.parse(expira_em) <= now.getTime();

const WAITS = new ProviderFailure('api', 'anterior').code;
/** For a former connection: what else has failed is no reason to give up a code that it may know of. */
const hasWaitedForLong = ({ falha, falhaDesde }: Turn, now: Date) =>
  falha === WAITS && falhaDesde !== null && addHours(falhaDesde, WAIT_HOURS) <= now;

/** As providers keep keys, the letters of e-mail addresses may be others. */
const isSameKey = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Whether the provider has it otherwise than the log: a worker may have been killed while it changed it, or somebody else did. */
const differs = (seen: Cob | null, known: ProviderCode | null) =>
  seen !== null &&
  known !== null &&
  (seen.valor !== known.valor || !isSameKey(seen.chave, known.chave ?? ''));

/** Whether the name may be in use already: providers say so in different ways. */
const isTaken = ({ asked, kind, details: { status } }: ProviderFailure) =>
  asked === 'api' && kind === 'resposta' && (status === 400 || status === 409 || status === 422);

function madeOf(cob: Cob, wanted: WantedCode) {
  const { chave, pago } = wanted;
  return { chave, pago, criada_em: cob.criacao.toISOString(), ...termsOf(cob, wanted, null) };
}

/** `before`: the code that is kept where the answer to a change holds none. @throws ProviderFailure for an answer about anything else */
function termsOf(cob: Cob, { valor, chave, vencimento }: WantedCode, before: string | null) {
  const pix_copia_e_cola = cob.pixCopiaECola ?? before;
  if (cob.valor !== valor || !isSameKey(cob.chave, chave)) throw new ProviderFailure('api', 'divergente');
  if (pix_copia_e_cola === null || !isCode(pix_copia_e_cola)) throw new ProviderFailure('api', 'formato');
  return { valor, vencimento, expira_em: cob.expira.toISOString(), revisao: cob.revisao, pix_copia_e_cola };
}

/** A BR Code whose check digits are right. */
const isCode = (code: string) =>
  /^000201[\x20-\x7e]{20,506}$/.test(code) && crc16(code.slice(0, -4)) === code.slice(-4).toUpperCase();
