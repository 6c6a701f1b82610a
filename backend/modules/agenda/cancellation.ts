import { Problem } from '../../platform/http/problem.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { Agreed } from '../services/service.js';
import type { MakeUp } from '../credits/make-up.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { CancellationCost, CancellationPreview, SessionCancellation } from './agenda.api.js';
import type { BookingTerms } from '../sessions/session.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import { costInWords } from './cancellation.api.js';

export interface CancellationEffect {
  /** Whether the time until the start agrees with the reason. */
  motivo_confere: boolean;
  /** Whole minutes until the start, rounded down; negative after it. */
  minutos_ate_inicio: number;
  usa_credito: boolean;
  /** Cents; null if the policy has a fee but the session has no known value. */
  taxa: number | null;
}

const MINUTE = 60_000;

/**
 * What a booking with a price has agreed for a cancellation, and that price; undefined where the policy of the location holds: it was
 * agreed only what not coming costs.
 */
export function bookedTerms(
  porta: BookingTerms | null,
  motivo?: CancellationReason,
): { terms: PolicyTerms; preco: number } | undefined {
  if (!porta || (porta.charge_id === null && motivo !== 'falta')) return undefined;
  const { limite_horas, fora_percent, falta_percent, preco } = porta;
  const taxa_percent = motivo === 'falta' ? falta_percent : fora_percent;
  return { terms: { cancel_limite_horas: limite_horas, taxa_percent, queima_credito: false }, preco };
}

/** The value of one credit of a plan in cents, rounded half-up; null if the plan gives no credits. */
export function sessionValue(plan: { valor: number; creditos: number } | undefined): number | null {
  if (!plan || plan.creditos <= 0) return null;
  return Math.floor((2 * plan.valor + plan.creditos) / (2 * plan.creditos));
}

/**
 * Of the plans of a student and of whoever shares credits with them, the one that tells what a session is worth: that of the credits that
 * it would use (`turn`: -1 for none), or else one that gives credits.
 */
export const planInTurn = <Plan extends { creditos: number }>(
  [own, shared]: readonly (Plan | null | undefined)[],
  turn: number,
): Plan | undefined =>
  [turn === 0 ? own : undefined, shared, own].find((one) => one && one.creditos > 0) ?? undefined;

/** What is agreed of a session that was booked with a service. */
type WithService = { servico?: Pick<Agreed, 'valor' | 'usa_credito'> | null | undefined };

export const usesCredit = ({ servico }: WithService): boolean => servico?.usa_credito ?? true;

/** What a session costs that no credit pays: its service's price; of what takes a credit and has none, that of the student's plan. */
export const priceOf = ({ servico }: WithService, ofPlan: number | null): number | null =>
  servico?.valor ?? (usesCredit({ servico }) ? ofPlan : 0);

/**
 * What cancelling at `at` costs the student under these terms. Until exactly `cancel_limite_horas` before the start it is free.
 * Later it costs only if the student is the reason. A session that was never confirmed costs nothing, because anybody
 * may have booked it with the student's phone number.
 */
export function cancellationEffect(
  session: Pick<CancelledSession, 'inicio' | 'confirmado' | 'servico'>,
  motivo: CancellationReason,
  terms: PolicyTerms,
  valor: number | null,
  at: Date,
): CancellationEffect {
  const left = Date.parse(session.inicio) - at.getTime();
  const late = left < terms.cancel_limite_horas * 60 * MINUTE;
  const isOwed = motivo === 'falta' || (motivo === 'aluno_fora_do_prazo' && late);
  const costs = session.confirmado && isOwed;
  return {
    motivo_confere: agrees(motivo, late, left <= 0),
    minutos_ate_inicio: Math.floor(left / MINUTE),
    usa_credito: costs && terms.queima_credito && usesCredit(session),
    taxa: costs ? fee(terms.taxa_percent, valor) : 0,
  };
}

function agrees(motivo: CancellationReason, late: boolean, started: boolean): boolean {
  switch (motivo) {
    case 'personal':
      return true;
    case 'aluno_no_prazo':
      return !late;
    case 'aluno_fora_do_prazo':
      return late;
    case 'falta':
      return started;
  }
}

/** A share of a value, in cents, rounded half-up. */
export const feeOf = (percent: number, valor: number): number =>
  Math.floor((2 * valor * percent + 100) / 200);

function fee(percent: number, valor: number | null): number | null {
  if (percent === 0) return 0;
  return valor === null ? null : feeOf(percent, valor);
}

/** A session that its student cancels in time may give a make-up, unless it was never confirmed. */
export const givesMakeUp = (
  { status, confirmado }: { status: string; confirmado: boolean },
  motivo: CancellationReason,
): boolean => motivo === 'aluno_no_prazo' && status === 'agendada' && confirmado;

/** A no-show can only be recorded after the session has begun. */
const isTooEarly = ({ minutos_ate_inicio, motivo_confere }: CancellationEffect, motivo: CancellationReason) =>
  motivo === 'falta' && !motivo_confere && minutos_ate_inicio >= 0;

/** Refuses to apply the policy for a reason that the time until the start contradicts, and a no-show before the session has begun. */
export function refuseWrongReason(
  effect: CancellationEffect,
  terms: PolicyTerms,
  { motivo, aplicar_politica = false }: Pick<SessionCancellation, 'motivo' | 'aplicar_politica'>,
): void {
  if (effect.motivo_confere) return;
  if (!aplicar_politica && !isTooEarly(effect, motivo)) return;
  const detail = isTooEarly(effect, motivo) ? TOO_EARLY : `Não confere: ${timeAndPolicy(effect, terms)}.`;
  throw new Problem('agenda.reason_disagrees', { detail, errors: [{ pointer: '/motivo', detail }] });
}

const TOO_EARLY = 'A sessão ainda não começou: a falta só pode ser registrada depois do início.';

/** The part of a session on which a cancellation is decided. */
export interface CancelledSession extends WithService {
  inicio: string;
  confirmado: boolean;
  /** Whether it has already used a credit, which is returned first. */
  usou_credito: boolean;
}

/** The part of the student's state on which a cancellation is decided. */
interface Known {
  valor: number | null;
  hasCredit: boolean;
  at: Date;
  /** The make-up that the cancellation gives; absent if it cannot give one. */
  makeUp?: MakeUp | 'limit' | null;
}

/**
 * The texts that announce a cancellation, and the state of the session after it.
 * @param hasCredit whether the student has a credit to use once the session's own is returned
 */
export function announce(
  session: CancelledSession,
  motivo: CancellationReason,
  terms: PolicyTerms,
  { valor, hasCredit, at, makeUp = null }: Known,
): Omit<CancellationPreview, 'motivo' | 'limite_horas'> {
  const effect = cancellationEffect(session, motivo, terms, priceOf(session, valor), at);
  const { motivo_confere, minutos_ate_inicio, usa_credito, taxa } = effect;
  const tem_custo = motivo_confere && (usa_credito || taxa !== 0);
  const free = { usou_credito: false, sem_credito: false, taxa: 0 };
  const previsto = tem_custo
    ? { usou_credito: usa_credito && hasCredit, sem_credito: usa_credito && !hasCredit, taxa: taxa ?? 0 }
    : free;
  const does = (cost: CancellationCost) => costInWords(cost, session.usou_credito, 'announced', brl);
  return {
    motivo_confere,
    permitido: !isTooEarly(effect, motivo),
    minutos_ate_inicio,
    tem_custo,
    previsto,
    texto: isTooEarly(effect, motivo)
      ? TOO_EARLY
      : sentence(session, effect, terms, motivo, does(previsto)) + makeUpInWords(makeUp),
    perdoado: free,
    texto_perdoado: `Perdoado desta vez: ${does(free)}.`,
  };
}

/** "Faltam 9 h, a política é de 24 h: desconta 1 crédito e cobra taxa de R$ 16,67." */
function sentence(
  { confirmado }: CancelledSession,
  effect: CancellationEffect,
  terms: PolicyTerms,
  motivo: CancellationReason,
  does: string,
): string {
  const unknownFee = effect.motivo_confere && effect.taxa === null;
  const words = effect.motivo_confere
    ? `${motivo === 'personal' ? 'Você cancela' : confirmado ? timeAndTerms(effect, terms) : 'A reserva ainda não foi confirmada'}: ${does}.`
    : `${timeLeft(effect.minutos_ate_inicio)}, ${motivo === 'aluno_no_prazo' ? `o prazo de ${terms.cancel_limite_horas} h já passou` : 'ainda dá tempo'}: este motivo ${does}.`;
  const note = unknownFee ? ' A taxa não pode ser calculada: o aluno está sem plano com créditos.' : '';
  return words.charAt(0).toUpperCase() + words.slice(1) + note;
}

function makeUpInWords(makeUp: MakeUp | 'limit' | null): string {
  if (makeUp === null) return '';
  if (makeUp === 'limit') return ' O limite de reposições do mês já foi usado.';
  return ` 1 crédito vira reposição, com validade até ${shortDate(makeUp.expira_em)}.`;
}

/** 409 agenda.cost_changed if the cost of the cancellation differs from the announced one. */
export function refuseOtherCost(told: CancellationCost | undefined, cost: CancellationCost): void {
  if (!told) return;
  const same =
    told.usou_credito === cost.usou_credito &&
    told.sem_credito === cost.sem_credito &&
    told.taxa === cost.taxa;
  if (!same)
    throw new Problem('agenda.cost_changed', {
      detail: 'O custo do cancelamento mudou. Confira de novo antes de cancelar.',
    });
}

function timeAndPolicy({ minutos_ate_inicio }: CancellationEffect, terms: PolicyTerms): string {
  return `${timeLeft(minutos_ate_inicio)}, a política é de ${terms.cancel_limite_horas} h`;
}

/** Names no time limit if the policy never has a cost. */
function timeAndTerms(effect: CancellationEffect, terms: PolicyTerms): string {
  if (terms.queima_credito || terms.taxa_percent > 0) return timeAndPolicy(effect, terms);
  return `${timeLeft(effect.minutos_ate_inicio)}, a política é sem custo`;
}

function timeLeft(minutes: number): string {
  if (minutes < 0) return 'a sessão já começou';
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0)
    return [days === 1 ? 'falta 1 dia' : `faltam ${days} dias`, hours % 24 > 0 && `e ${hours % 24} h`]
      .filter(Boolean)
      .join(' ');
  const rest = minutes % 60;
  const parts = [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean);
  return `${hours === 1 || (hours === 0 && rest === 1) ? 'falta' : 'faltam'} ${parts.join(' ')}`;
}
