import { Checkbox, type CheckboxProps } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { firstMonthOf } from '../../../backend/modules/plans/monthly-terms.api.js';
import { plural } from '../../../backend/platform/plural.api.js';
import { formatDate } from '../lib/dates.js';
import { formatMoney } from '../lib/money.js';

interface Billed {
  valor: number;
  creditos: number;
  meses: number;
}

/** The share of the month in which an agreement begins; null where it begins with a month that is billed, or in one that is over. */
export function firstMonth(plan: Billed | null, desde: string, today: string) {
  const isWhole = desde.endsWith('-01') && desde >= today;
  if (!plan || !desde || isWhole || desde.slice(0, 7) < today.slice(0, 7)) return null;
  const part = firstMonthOf(plan, desde);
  return part.valor > 0 ? part : null;
}

/** Offers to charge that share at once. */
export function FirstMonthField({
  share: { ate, dias, of, valor, creditos },
  ...props
}: CheckboxProps & { share: NonNullable<ReturnType<typeof firstMonth>> }) {
  const granted = creditos > 0 ? ` e ${plural(creditos, 'crédito', 'créditos')} ao pagar` : '';
  return (
    <Checkbox
      label={`Cobrar agora ${formatMoney(valor)} pelos dias até ${formatDate(ate)}`}
      description={`${dias} de ${plural(of, 'dia', 'dias')} do mês${granted}. Sem isto, a primeira cobrança é a do mês seguinte.`}
      {...props}
    />
  );
}
