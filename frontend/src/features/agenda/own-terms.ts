import { lessThanHours } from '../../../../backend/modules/agenda/cancellation.api.js';
import type { PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';
import { formatMoment } from '../../lib/dates.js';

const HOUR_MS = 3_600_000;

/** What cancelling a session at this time will cost its student, before it is booked. `terms`: undefined where nothing is ever owed. */
export function cancellingInWords(
  terms: PolicyTerms | undefined,
  inicio: string,
  { zone, now }: { zone: string; now: number },
): string {
  const { cancel_limite_horas = 0, taxa_percent = 0, queima_credito = false } = terms ?? {};
  const costs = [
    queima_credito && 'desconta 1 crédito',
    taxa_percent > 0 && `cobra ${taxa_percent}% do valor da aula`,
  ].filter(Boolean);
  if (costs.length === 0) return 'Desmarcar não tem custo.';
  const last = Date.parse(inicio) - cancel_limite_horas * HOUR_MS;
  const does = costs.join(' e ');
  return last < now
    ? `${lessThanHours(cancel_limite_horas)}: desmarcar ${does}.`
    : `Desmarcar: sem custo até ${formatMoment(new Date(last).toISOString(), zone, new Date(now))}; depois, ${does}.`;
}
