import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { chargeAddress, sessionChargeAddress } from '../../lib/charge-address.js';
import { dayOf, formatDate } from '../../lib/dates.js';
import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { formatMoney } from '../../lib/money.js';
import { useZone } from '../../lib/zone.js';
import { useReceipt } from '../../parts/quick-receipt.js';
import { Icon } from '../../ui/icon.js';
import { Quiet } from '../../ui/quiet.js';
import classes from './charges.module.css';
import { useCharges } from './charges.queries.js';

/** The charge of an owed session, undefined without one; null while it is not loaded. */
function useChargeOf({ id, taxa }: Pick<Session, 'id' | 'taxa'>): Charge | undefined | null {
  const charges = useCharges({ session_id: id, limit: 10 });
  if (!charges.data) return null;
  const items = charges.data.pages[0]?.items ?? [];
  // A fee whose charge was cancelled is forgiven; a session whose charge was cancelled is to be charged again.
  return (
    items.find(({ situacao }) => situacao !== 'cancelada') ??
    (taxa > 0 ? items.find(({ origem }) => origem === 'taxa') : undefined)
  );
}

interface SessionDueProps {
  session: Session;
  /** Follows what the button says, in a group: " de Ana". */
  whose: string;
  /** Goes before the receipt of a paid session: the button of others who owe. */
  others: ReactNode;
  /** Shown where nothing is left to do about the money. */
  otherwise: ReactNode;
}

/** The next step to the money of an owed session: to charge it, to receive it, or its receipt. */
export function SessionDue({ session, whose, others, otherwise }: SessionDueProps) {
  const charge = useChargeOf(session);
  const paidBy =
    charge?.situacao === 'paga' ? charge.pagamentos.findLast(({ estornado }) => !estornado) : undefined;
  const receipt = useReceipt(paidBy?.transaction_id ?? null);
  const date = formatDate(dayOf(session.inicio, useZone()));
  if (charge === null) return null;
  if (charge === undefined) {
    const isKnown = !session.sem_credito || session.valor !== null;
    const valor = isKnown ? (session.sem_credito ? (session.valor ?? 0) : 0) + session.taxa : null;
    return (
      <Button
        component={Link}
        to={sessionChargeAddress({ ...session, date, valor })}
        leftSection={<Icon name="wallet" />}
      >
        {`Cobrar${valor === null ? '' : ` ${formatMoney(valor)}`}${whose}`}
      </Button>
    );
  }
  if (charge.situacao === 'cancelada') return otherwise;
  if (charge.falta === 0 && others) return others;
  if (paidBy && receipt.isLoading) return null;
  const isReceipted = receipt.data?.recibo?.cancelado_em === null;
  return (
    <Button
      component={Link}
      to={chargeAddress(charge.id)}
      variant={isReceipted ? 'default' : 'filled'}
      leftSection={<Icon name="wallet" />}
    >
      {`${charge.falta > 0 ? `Receber ${formatMoney(charge.falta)}` : isReceipted ? 'Ver recibo' : 'Emitir recibo'}${whose}`}
    </Button>
  );
}

/** The charge of an owed session and what happens to it with the session, or that there is none yet; each with the way there. */
export function SessionCharge({ session }: { session: Pick<Session, 'id' | 'taxa' | 'cobranca_id'> }) {
  const charge = useChargeOf(session);
  if (charge === null) return null;
  if (charge && charge.id === session.cobranca_id)
    return (
      <Quiet size="xs">
        <span>{bookedInWords(charge)}</span>{' '}
        <Link to={chargeAddress(charge.id)} className={classes.toCharge}>
          Ver a cobrança
        </Link>
      </Quiet>
    );
  // That of the booking was cancelled, with nothing else to charge.
  if (!charge && session.cobranca_id !== undefined) return null;
  return (
    <Quiet size="xs">
      <span>{charge ? fateOf(charge) : 'Ainda não cobrada.'}</span>{' '}
      <Link to={charge ? chargeAddress(charge.id) : '/?ver=a-cobrar'} className={classes.toCharge}>
        {charge ? 'Ver a cobrança' : 'Sessões a cobrar'}
      </Link>
    </Quiet>
  );
}

/** The charge of a booking on the public page. */
function bookedInWords({ valor, pago, falta, pedido, devolver }: Charge): string {
  if (devolver > 0) return `Reserva pelo link: ${formatMoney(devolver)} a devolver.`;
  if (pago === 0) return `Reserva pelo link: falta o Pix de ${formatMoney(pedido)}.`;
  return falta > 0
    ? `Reserva pelo link: ${formatMoney(pago)} de ${formatMoney(valor)} pagos.`
    : `Reserva pelo link: ${formatMoney(pago)} pagos.`;
}

function fateOf({ origem, situacao, valor, pago, falta }: Charge): string {
  if (situacao === 'cancelada') return 'A cobrança da taxa foi cancelada.';
  const leaving = 'Se você reabrir, excluir ou passar a sessão para outro aluno,';
  const what = origem === 'taxa' ? 'taxa' : 'cobrança';
  if (pago === 0) return `${leaving} a cobrança em aberto de ${formatMoney(falta)} será cancelada.`;
  if (falta > 0)
    return `A ${what} de ${formatMoney(valor)} já foi paga em parte. ${leaving} desfaça o pagamento e cancele a cobrança.`;
  return `A ${what} de ${formatMoney(valor)} já foi paga. ${leaving} ela continua no histórico: devolva o valor ou use como crédito do aluno.`;
}
