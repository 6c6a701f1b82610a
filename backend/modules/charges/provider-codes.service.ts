import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { addHours } from 'date-fns';
import { Clock } from '../../platform/clock.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { dateOf } from '../../platform/local-time.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { askedOf, charge, dueOf, type KnownCharge } from './charge.js';
import type { Turn } from './code-turns.service.js';
import { pixAccountStream } from './pix-account.js';
import type { Cob } from './pix-charges.js';
import { crc16 } from './pix-code.js';
import { ReceivePix } from './pix-notices.commands.js';
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
import { type Connection, connectionOf, knowersOf, providerConnection } from './provider-connection.js';
import { ProviderFailure } from './provider-failure.js';

/** How long to wait for a former connection that does not answer, before a new code is made or an ended one is given up. */
const WAIT_HOURS = 24;
/** Limit of steps of one check; replacing an ended code takes three. */
const MOST_STEPS = 6;
const MOST_NAMES = 36 ** 2;

/** The state of the log at one moment. */
interface Standing {
  /** Null if no provider is connected. */
  connection: Connection | null;
  code: ProviderCodeState;
  /** Connections that may know the current code. */
  knowers: Connection[];
  wanted: WantedCode | null;
  studentId: string;
}

/** The connection that a visit used, and why it no longer uses it. */
export interface Call {
  connection: Connection | null;
  failure: ProviderFailure | null;
  /** Failures of former connections, by connection id; a former connection that failed is not called again in this visit. */
  silent: Map<string, ProviderFailure>;
}

class LookAtCode {
  constructor(readonly context: CommandContext) {}
}
class RecordPixCode {
  constructor(readonly context: CommandContext) {}
}

/**
 * Keeps the provider's codes in accordance with the charges. Each check compares the code wanted by the log with the provider's
 * code, so checks may be repeated, or interrupted at any point, and do not depend on the events that caused them.
 */
@Injectable()
export class ProviderCodes {
  constructor(
    private readonly store: EventStore,
    private readonly commands: CommandBus,
    private readonly client: ApiPixClient,
    private readonly clock: Clock,
  ) {}

  /** The connected provider, if any. */
  async connectionOf(context: CommandContext): Promise<Connection | null> {
    let connection: Connection | null = null;
    await this.store.transact(new LookAtCode(context), async (tx) => {
      connection = connectionOf(await tx.load(providerConnection, context.tenantId));
      return { id: context.tenantId };
    });
    return connection;
  }

  /** Brings the provider's code in accordance with the charge. Returns when to check next; null: only when requested. */
  async settle(context: CommandContext, turn: Turn, call: Call): Promise<Date | null> {
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
        // Before a code is given up, its own connection is called for it, even if calls for other codes failed.
        const isLast = hasWaitedForLong(turn, now);
        const silent = isLast ? new Map<string, ProviderFailure>() : call.silent;
        const ended = await this.takeBack(context, knowers, ativo, silent);
        if (!(ended instanceof ProviderFailure)) await end(ended);
        // The current code can still be paid, and the next connection may know it.
        else if (!connection && knowers.length > 0 && !isOver(ativo, now)) return nextLook(ativo, now);
        else if (ended.isPassing && !isLast) throw new ProviderFailure('api', 'anterior');
        else await end('abandonada');
        continue;
      }
      if (!connection) return null;
      // A connection that refuses all calls is not called again in this visit; payments of former connections' codes are still found.
      if (call.failure) throw call.failure;
      call.connection = connection;
      // First read the current code: a payment whose notice was lost must be recorded before anything else.
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
            // The txid was used earlier, without being recorded: end that code, so that the next txid is used.
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
    // The wanted code keeps changing: check again at once.
    return this.clock.now();
  }

  /**
   * Removes a code of a former connection, with the old credentials. If the provider refuses because the code was paid
   * meanwhile, reads it once more; a connection that refuses all calls is not called again. Returns how the code ended, or why
   * that is unknown.
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
          // The last connection belongs to another account of the same API, which does not know the code.
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

  /** Makes a code. If the provider already has this txid, uses that code, changed if needed; removes one to another Pix key. */
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

  /** Records the payments with the same command as a notice, so that each payment counts once. */
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
      const wanted =
        of && connection && wantedOf(of, account?.chave ?? null, dateOf(tx.now, context.timezone));
      const knowers = code.ativo ? knowersOf(provider, code.ativo.connection_id) : [];
      const studentId = of?.student_id ?? chargeId;
      standing = { connection, code, knowers, wanted: wanted ?? null, studentId };
      return { id: chargeId };
    });
    return standing!;
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
}

/** @throws what is no failure of a provider */
export function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  throw error;
}

/** The wanted code of a charge, of what is to be paid on that day; null for a paid or cancelled one, and for a forgotten student's. */
function wantedOf(state: KnownCharge, chave: string | null, today: string): WantedCode | null {
  const { cancelada, descricao, vencimento } = state;
  const valor = askedOf(state, today);
  if (cancelada || valor <= 0 || chave === null || descricao === null) return null;
  return { chave, valor, pago: state.valor - dueOf(state), vencimento, descricao };
}

const isOver = ({ expira_em }: ProviderCode, now: Date) => Date.parse(expira_em) <= now.getTime();

const WAITS = new ProviderFailure('api', 'anterior').code;
/** Whether the wait for a former connection is over: other failures are no reason to give up a code that it may know. */
const hasWaitedForLong = ({ falha, falhaDesde }: Turn, now: Date) =>
  falha === WAITS && falhaDesde !== null && addHours(falhaDesde, WAIT_HOURS) <= now;

/** Compares without case, because providers may change the case of e-mail addresses. */
const isSameKey = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Whether the provider's code differs from the log, because a worker was killed during a change, or somebody else changed it. */
const differs = (seen: Cob | null, known: ProviderCode | null) =>
  seen !== null &&
  known !== null &&
  (seen.valor !== known.valor || !isSameKey(seen.chave, known.chave ?? ''));

/** Whether the txid may already be used; providers report that with different statuses. */
const isTaken = ({ asked, kind, details: { status } }: ProviderFailure) =>
  asked === 'api' && kind === 'resposta' && (status === 400 || status === 409 || status === 422);

function madeOf(cob: Cob, wanted: WantedCode) {
  const { chave, pago } = wanted;
  return { chave, pago, criada_em: cob.criacao.toISOString(), ...termsOf(cob, wanted, null) };
}

/** `before`: the previous code, used if the answer has none. @throws ProviderFailure if the answer has another amount or key */
function termsOf(cob: Cob, { valor, chave, vencimento }: WantedCode, before: string | null) {
  const pix_copia_e_cola = cob.pixCopiaECola ?? before;
  if (cob.valor !== valor || !isSameKey(cob.chave, chave)) throw new ProviderFailure('api', 'divergente');
  if (pix_copia_e_cola === null || !isCode(pix_copia_e_cola)) throw new ProviderFailure('api', 'formato');
  return { valor, vencimento, expira_em: cob.expira.toISOString(), revisao: cob.revisao, pix_copia_e_cola };
}

/** Whether the text is a BR Code with valid check digits. */
const isCode = (code: string) =>
  /^000201[\x20-\x7e]{20,506}$/.test(code) && crc16(code.slice(0, -4)) === code.slice(-4).toUpperCase();
