import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import { type ChargeEvent, dueOf, type KnownCharge, type Payment } from './charge.js';
import type { Refund } from './charges.api.js';

type Refunded = Extract<ChargeEvent, { type: 'ChargeRefunded' }>['data'];

/** Limits of a refund of a paid charge, and the receita that remains. */
export function decideRefund(
  state: KnownCharge,
  payment: Payment,
  { valor, creditos, motivo, valor_atual }: Refund,
  ids: { estorno_id: string; transaction_id: string },
): Omit<Refunded, 'creditos_expirados'> {
  if (dueOf(state) > 0) throw new Problem('charges.not_paid');
  if (valor_atual !== payment.valor) {
    const detail = `Ele agora é de ${brl(payment.valor)}. Confira as devoluções antes de fazer outra.`;
    throw new Problem('charges.payment_changed', { detail });
  }
  if (valor > payment.valor) {
    const detail = `Este pagamento foi de ${brl(payment.valor)}.`;
    throw new Problem('charges.more_than_paid', { detail, errors: [{ pointer: '/valor', detail }] });
  }
  const granted = state.lot_id === null ? 0 : state.creditos;
  if (creditos > granted) {
    const detail =
      granted === 0
        ? 'Esta cobrança não deu créditos.'
        : `Esta cobrança deu ${plural(granted, 'crédito', 'créditos')}.`;
    throw new Problem('charges.more_credits', { detail, errors: [{ pointer: '/creditos', detail }] });
  }
  const kept = payment.valor - valor;
  return {
    charge_id: state.charge_id,
    student_id: state.student_id,
    payment_id: payment.payment_id,
    transaction_id: payment.transaction_id,
    estorno_id: ids.estorno_id,
    valor,
    creditos_retirados: creditos,
    motivo,
    resta: kept === 0 ? null : { transaction_id: ids.transaction_id, valor: kept },
    valor_cobrado: state.valor - valor,
    session_id: state.session_id,
  };
}
