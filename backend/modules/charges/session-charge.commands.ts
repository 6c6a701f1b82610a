import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { weekdayAndTime } from '../../platform/portuguese.js';
import type { KnownSession } from '../sessions/session.js';
import {
  charge,
  type ChargeLink,
  decideCancel,
  decideEndBooking,
  decideRestore,
  decideResumeBooking,
  decideStand,
  type KnownCharge,
  type SessionTurn,
} from './charge.js';
import { issue } from './charge-terms.commands.js';
import { DAYS_TO_PAY } from './charges.api.js';

/** The charge of a session follows the session: what a session no longer costs is not owed. */

const claimOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/** The charge of a session that is not cancelled; undefined if there is none. */
export async function chargeOfSession(
  tx: CommandTransaction,
  session_id: string,
): Promise<string | undefined> {
  const [claim] = await tx.lookUp(claimOf, `session:${session_id}`);
  return claim?.charge_id;
}

/** Cancels the charge of a session that no longer owes it, unless money was paid for it. Returns the id of what it cancelled. */
export async function cancelChargeOfSession(
  tx: CommandTransaction,
  session_id: string,
  com_sessao: SessionTurn,
): Promise<string | undefined> {
  const id = await chargeOfSession(tx, session_id);
  const state = id === undefined ? undefined : await tx.load(charge, id);
  if (!state || state.pagamentos.length > 0) return undefined;
  tx.append(charge, id!, decideCancel(state, com_sessao));
  return id;
}

/**
 * Brings back the student's charge that was cancelled with what is undone now, unless another one stands. `cancelled`: the charge
 * that this command has cancelled.
 */
export async function restoreChargeOfSession(
  tx: CommandTransaction,
  { session_id, student_id }: { session_id: string; student_id: string },
  cancelled: string | undefined,
): Promise<void> {
  const standing = await chargeOfSession(tx, session_id);
  if (standing !== cancelled) return;
  const [claim] = await tx.lookUp(claimOf, `left:${session_id}`);
  const state = claim && (await tx.load(charge, claim.charge_id));
  if (state?.com_sessao && state.student_id === student_id)
    tx.append(charge, claim!.charge_id, decideRestore(state));
}

/** The charge that was issued with the booking of a session; undefined where it was cancelled by hand, or another student has the session. */
export async function chargeOfBooking(
  tx: CommandTransaction,
  { porta, student_id }: KnownSession,
): Promise<KnownCharge | undefined> {
  const state = porta?.charge_id ? await tx.load(charge, porta.charge_id) : undefined;
  const isOver = state?.cancelada && (!state.com_sessao || state.student_id !== student_id);
  return isOver ? undefined : state;
}

/** What the session owes in the end is what the charge of its booking asks for. */
export function followBooking(
  tx: CommandTransaction,
  state: KnownCharge,
  { porta, taxa, deleted }: KnownSession,
  turn: SessionTurn,
): void {
  const owed = deleted ? 0 : taxa;
  tx.append(
    charge,
    state.charge_id,
    turn === 'cancelada' || turn === 'excluida'
      ? decideEndBooking(state, owed, turn)
      : turn === 'de_outro_aluno'
        ? decideGiven(state)
        : [...decideResumeBooking(state, porta!.preco), ...(turn === 'feita' ? decideStand(state) : [])],
  );
}

/** A booking that the trainer confirms stands, paid or not. */
export async function standBooking(tx: CommandTransaction, state: KnownSession): Promise<void> {
  const booked = await chargeOfBooking(tx, state);
  if (booked) tx.append(charge, booked.charge_id, decideStand(booked));
}

/** What was paid for a session stays with who paid, and pays it. */
const decideGiven = (state: KnownCharge) =>
  state.pagamentos.length > 0 ? [] : decideCancel(state, 'de_outro_aluno');

/**
 * Issues the charge of a cancellation fee, with the value of the session where no credit paid it; where that value is unknown, the
 * session is left to be charged by hand. Due as a charge that is issued by hand. `cancelled`: the session's charge that this command has cancelled.
 * @throws Problem 409 if money was paid for the session, because a session has one charge
 */
export async function issueFee(
  tx: CommandTransaction,
  { session_id, student_id, inicio, motivo, credito, valor, taxa }: KnownSession,
  cancelled: string | undefined,
  link: ChargeLink,
): Promise<void> {
  if (credito === 'faltou' && valor === null) return;
  if ((await chargeOfSession(tx, session_id)) !== cancelled)
    throw new Problem('charges.session_charged', { detail: PAID });
  const { timezone } = tx.context;
  const charge_id = randomUUID();
  const owesSession = credito === 'faltou' && valor! > 0;
  const what = motivo === 'falta' ? 'falta' : 'cancelamento fora do prazo';
  const when = weekdayAndTime(inicio, timezone);
  await issue(tx, {
    charge_id,
    student_id,
    session_id,
    origem: 'taxa',
    plano_id: null,
    mes: null,
    descricao: owesSession ? `Aula e taxa de ${what} · ${when}` : `Taxa de ${what} · aula de ${when}`,
    valor: owesSession ? valor! + taxa : taxa,
    vencimento: dateOf(addDays(tx.now, DAYS_TO_PAY), timezone),
    creditos: 0,
    validade_dias: null,
    ...link,
  });
}

const PAID = 'Já há um pagamento por esta sessão. Devolva ou desfaça o pagamento antes, ou perdoe a taxa.';
