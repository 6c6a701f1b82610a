import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { type Day, formatDay, formatLongDay, type Moment } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { useQuickReceipt } from '../../parts/quick-receipt.js';
import { Money } from '../../ui/money.js';
import { Row } from '../../ui/row.js';
import { TapButton } from '../../ui/tap-button.js';
import { ChargeTag } from './charge-tag.js';
import classes from './charges.module.css';
import { useChargePayment } from './use-charge-payment.js';

interface ChargeRowProps {
  charge: Charge;
  to: string;
  named?: boolean;
  /** As it was at this moment, without what acts. */
  moment?: Moment | null | undefined;
}

/** A charge in a list: student and amount, purpose, and the status with its day. */
export function ChargeRow({ charge, to, named = true, moment }: ChargeRowProps) {
  const today = useToday();
  const what = charge.descricao ?? 'Cobrança';
  const [verb, day] = dayOf(charge, today);
  const dated = `${verb} ${formatDay(day, today)}`;
  // Where the tag says something else than the day.
  const isApart =
    charge.situacao === 'cancelada' ||
    charge.devolver > 0 ||
    (charge.avisada_em !== null && charge.falta > 0);
  return (
    <Row
      stacked
      to={inPast(to, moment)}
      muted={charge.situacao === 'cancelada'}
      title={named ? (charge.student_nome ?? 'Aluno apagado') : what}
      facts={
        <>
          {(named || isApart) && (
            <span className={classes.purpose}>
              {[isApart && dated, named && what].filter(Boolean).join(' · ')}
            </span>
          )}
          <span title={formatLongDay(day)}>
            <ChargeTag {...charge} dated={dated} />
          </span>
        </>
      }
      actions={
        !moment && charge.falta > 0 && charge.situacao !== 'cancelada' && <PayButton charge={charge} />
      }
      trail={<Money cents={charge.falta > 0 ? charge.hoje.total : charge.valor} strong />}
    />
  );
}

/** Records all that is due, as paid today by the method of the last payment, in one tap. */
function PayButton({ charge }: { charge: Charge }) {
  const { whole, method, isPending } = useChargePayment(charge, useQuickReceipt(charge.id));
  const what = `${formatMoney(charge.pedido)}, ${methodNames[method]}, hoje`;
  return (
    <TapButton
      icon="check"
      label={`Marcar como paga: ${charge.student_nome ?? 'Aluno apagado'}, ${what}`}
      busy={isPending}
      onTap={() => whole()}
    >
      Paga
    </TapButton>
  );
}

/** The day to show: of the last payment, or the due date, which of a past moment's open charge may be over by now. */
function dayOf({ situacao, vencimento, pagamentos }: Charge, today: Day): [verb: string, day: Day] {
  const aberta = vencimento < today ? 'Vencia' : 'Vence';
  if (situacao !== 'paga')
    return [{ aberta, vencida: 'Venceu', cancelada: 'Vencimento' }[situacao], vencimento];
  const days = pagamentos.filter(({ estornado }) => !estornado).map(({ data }) => data);
  return ['Paga', days.toSorted().at(-1) ?? vencimento];
}
