import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { lastDayOf } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';

/** Days after which the pace of a month says something. */
const FEWEST_DAYS = 3;

/**
 * What a running month receives, in whole reais (as cents), if it goes on as until today; null in its first days, and before
 * and after it.
 */
export function paceOf({
  mes,
  recebido,
  dias_restantes,
}: Pick<MonthSummary, 'mes' | 'recebido' | 'dias_restantes'>): number | null {
  const days = Number(lastDayOf(mes).slice(8));
  // Today is one of the remaining days, and its receipts count already.
  const gone = days - dias_restantes + 1;
  if (dias_restantes === 0 || gone < FEWEST_DAYS) return null;
  return Math.round((recebido / gone) * (days / 100)) * 100;
}

type Course = Pick<MonthSummary, 'mes' | 'recebido' | 'ainda_entra' | 'meta' | 'dias_restantes'>;

/** Where a running month leads, and what its goal still asks for, in sentences; none without a goal, and of a month that has ended. */
export function paceWords(summary: Course): string[] {
  const { recebido, ainda_entra, meta, dias_restantes } = summary;
  if (meta === 0 || dias_restantes === 0) return [];
  const missing = meta - recebido;
  if (missing <= 0) return ['Meta do mês alcançada.'];
  const pace = paceOf(summary);
  const days = plural(dias_restantes, 'dia', 'dias');
  return [
    pace !== null &&
      `Neste ritmo, o mês fecha em ${formatMoney(pace)}, ${pace < meta ? 'abaixo da meta' : 'acima da meta'}.`,
    ainda_entra >= missing
      ? `Faltam ${formatMoney(missing)} em ${days}, e o que ainda entra cobre.`
      : `Faltam ${formatMoney(missing)} em ${days}: ${formatMoney(Math.ceil(missing / dias_restantes))} por dia.`,
    ainda_entra > 0 &&
      ainda_entra < missing &&
      `O que ainda entra não cobre: ainda faltariam ${formatMoney(missing - ainda_entra)}.`,
  ].filter((words) => words !== false);
}
