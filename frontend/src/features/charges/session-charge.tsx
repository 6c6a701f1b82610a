import { Link } from 'react-router-dom';
import { chargeAddress } from '../../lib/charge-address.js';
import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { formatMoney } from '../../lib/money.js';
import classes from './charges.module.css';
import { useCharges } from './charges.queries.js';

/** The charge of an owed session and what happens to it with the session, or that there is none yet; each with the way there. */
export function SessionCharge({ sessionId }: { sessionId: string }) {
  const charges = useCharges({ session_id: sessionId, limit: 10 });
  const items = charges.data?.pages[0]?.items ?? [];
  const charge = items.find(({ situacao }) => situacao !== 'cancelada');
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

function fateOf({ origem, valor, pago, falta }: Charge): string {
  const leaving = 'Se você reabrir, excluir ou passar a sessão para outro aluno,';
  const what = origem === 'taxa' ? 'taxa' : 'cobrança';
  if (pago === 0) return `${leaving} a cobrança em aberto de ${formatMoney(falta)} será cancelada.`;
  if (falta > 0)
    return `A ${what} de ${formatMoney(valor)} já foi paga em parte. ${leaving} desfaça o pagamento e cancele a cobrança.`;
  return `A ${what} de ${formatMoney(valor)} já foi paga. ${leaving} ela continua no histórico: devolva o valor ou use como crédito do aluno.`;
}
