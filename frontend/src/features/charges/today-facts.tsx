import type { OwnCharge } from '../../../../backend/modules/charges/charges.api.js';
import { Money } from '../../ui/money.js';

/** How the amount of an open charge becomes what pays it today; nothing where the day changes nothing. */
export function todayFacts({ pago, falta, hoje }: Pick<OwnCharge, 'pago' | 'falta' | 'hoje'>) {
  if (hoje.total === falta) return [];
  const part = (label: string, cents: number): [string, React.ReactNode] => [
    label,
    cents !== 0 && <Money key={label} cents={cents} />,
  ];
  return [
    part(pago > 0 ? 'Falta' : 'Valor', falta),
    part('Multa', hoje.multa),
    part('Juros', hoje.juros),
    part('Desconto', -hoje.desconto),
    part('Total hoje', hoje.total),
  ];
}
