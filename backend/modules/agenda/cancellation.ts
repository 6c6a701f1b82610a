import { Problem } from '../../platform/http/problem.js';
import { brl } from '../../platform/portuguese.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { CancellationReason } from './agenda.api.js';

export interface CancellationEffect {
  /** The clock agrees with the reason. */
  motivo_confere: boolean;
  /** Whole minutes until the start, rounded down; negative after it. */
  minutos_ate_inicio: number;
  usa_credito: boolean;
  /** Cents; null where the policy has a fee but the session has no value to take it from. */
  taxa: number | null;
}

const MINUTE = 60_000;

/** Cents that one credit of a plan is worth, half-up; null where the plan gives none. */
export function sessionValue(plan: { valor: number; creditos: number } | undefined): number | null {
  if (!plan || plan.creditos <= 0) return null;
  return Math.floor((2 * plan.valor + plan.creditos) / (2 * plan.creditos));
}

/**
 * What cancelling at `at` costs the student under these terms. Until exactly `cancel_limite_horas` before the start
 * it is in time and free; only what is the student's doing, and late, costs.
 */
export function cancellationEffect(
  session: { inicio: string },
  motivo: CancellationReason,
  terms: PolicyTerms,
  valor: number | null,
  at: Date,
): CancellationEffect {
  const left = Date.parse(session.inicio) - at.getTime();
  const late = left < terms.cancel_limite_horas * 60 * MINUTE;
  const costs = motivo === 'falta' || (motivo === 'aluno_fora_do_prazo' && late);
  return {
    motivo_confere: agrees(motivo, late, left <= 0),
    minutos_ate_inicio: Math.floor(left / MINUTE),
    usa_credito: costs && terms.queima_credito,
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

/** Half-up to the cent. */
function fee(percent: number, valor: number | null): number | null {
  if (percent === 0) return 0;
  return valor === null ? null : Math.floor((2 * valor * percent + 100) / 200);
}

/** The policy is only applied for a reason that the clock confirms. */
export function refuseWrongReason(
  effect: CancellationEffect,
  terms: PolicyTerms,
  motivo: CancellationReason,
): void {
  if (effect.motivo_confere) return;
  const detail =
    motivo === 'falta'
      ? 'A sessão ainda não começou: a falta só pode ser registrada depois do início.'
      : `Não confere: ${timeAndPolicy(effect, terms)}.`;
  throw new Problem('agenda.reason_disagrees', { detail, errors: [{ pointer: '/motivo', detail }] });
}

/** "faltam 9 h, a política é de 24 h: usa 1 crédito" */
export function inWords(effect: CancellationEffect, terms: PolicyTerms): string {
  const costs = [
    effect.usa_credito && 'usa 1 crédito',
    effect.taxa === null && 'a taxa não pode ser calculada (aluno sem plano com créditos)',
    effect.taxa && `taxa de ${brl(effect.taxa)}`,
  ].filter(Boolean);
  return `${timeAndPolicy(effect, terms)}: ${costs.join(' e ') || 'sem custo'}`;
}

function timeAndPolicy({ minutos_ate_inicio }: CancellationEffect, terms: PolicyTerms): string {
  return `${timeLeft(minutos_ate_inicio)}, a política é de ${terms.cancel_limite_horas} h`;
}

function timeLeft(minutes: number): string {
  if (minutes < 0) return 'a sessão já começou';
  const hours = Math.floor(minutes / 60);
  if (hours >= 48)
    return ['faltam', `${Math.floor(hours / 24)} dias`, hours % 24 > 0 && `e ${hours % 24} h`]
      .filter(Boolean)
      .join(' ');
  const rest = minutes % 60;
  const parts = [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean);
  return `${hours === 1 || (hours === 0 && rest === 1) ? 'falta' : 'faltam'} ${parts.join(' ')}`;
}
