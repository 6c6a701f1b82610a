import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { chargeAddress } from '../../lib/charge-address.js';
import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { formatMoney } from '../../lib/money.js';
import classes from './charges.module.css';
import { useCharges } from './charges.queries.js';

/** The charge of an owed session and what happens to it with the session, or that there is none yet; each with the way there. */
export function SessionCharge({ session: { id, taxa } }: { session: Pick<Session, 'id' | 'taxa'> }) {
  const charges = useCharges({ session_id: id, limit: 10 });
  const items = charges.data?.pages[0]?.items ?? [];
  // A fee whose charge was cancelled is forgiven; a session whose charge was cancelled is to be charged again.
  const charge =
    items.find(({ situacao }) => situacao !== 'cancelada') ??
    (taxa > 0 ? items.find(({ origem }) => origem === 'taxa') : undefined);
  if (!charges.data) return null;
  return (
    <div className={classes.quiet}>
      <p className={classes.state}>{charge ? fateOf(charge) : 'Ainda não cobrada.'}</p>
      <Link to={charge ? chargeAddress(charge.id) : '/'} className={classes.toCharge}>
        {charge ? 'Ver a cobrança' : 'Sessões a cobrar'}
      </Link>
    </div>
  );
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
