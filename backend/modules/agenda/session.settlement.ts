import {
  creditAccount,
  type CreditEvent,
  type CreditState,
  decideConsume,
  decideReturn,
} from '../credits/credit-account.js';
import { decideMakeUp, decideTakeMakeUpBack, type MakeUpTerms } from '../credits/make-up.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { SessionCancellation } from './agenda.api.js';
import { cancellationEffect, givesMakeUp, refuseOtherCost, refuseWrongReason } from './cancellation.js';
import {
  type CreditUse,
  decideCancel,
  decideChange,
  decideComplete,
  decideDelete,
  decideReopen,
  decideRestore,
  type KnownSession,
  type SessionDetails,
  type SessionEvent,
} from './session.js';

/**
 * What happens to a session and to its student's credits together. Pure: decided on states that were loaded before; time
 * and ids arrive from outside.
 */

/** A student's side of a settlement. */
export interface StudentAccount {
  student_id: string;
  credits: CreditState;
  /** Cents that a session of this student is worth; null without a plan that gives credits. */
  valor: number | null;
}

export interface Moment {
  now: Date;
  /** A fresh UUID for each line of the ledger. */
  newId: () => string;
}

/** Events to append: to the credit account of each student, and to the session. */
export interface Settled {
  credits: { student_id: string; events: CreditEvent[] }[];
  session: SessionEvent[];
}

/** A session is done: it uses one credit, or notes that there was none. */
export function settleCompletion(
  session: KnownSession,
  account: StudentAccount,
  permitir_conflito: boolean,
  moment: Moment,
): Settled {
  const returned = undoEffects(session, account, moment);
  const { events, credito } = useCredit(session, after(account, returned), 'sessao', moment);
  return {
    credits: [{ student_id: account.student_id, events: [...returned, ...events] }],
    session: decideComplete(session, { credito, valor: account.valor, permitir_conflito }),
  };
}

/** A session is scheduled again: the credit that it held goes back, or the make-up that it gave. */
export function settleReopening(
  session: KnownSession,
  account: StudentAccount,
  permitir_conflito: boolean,
  moment: Moment,
): Settled {
  return {
    credits: [{ student_id: account.student_id, events: undoEffects(session, account, moment) }],
    session: decideReopen(session, permitir_conflito),
  };
}

/**
 * A session is cancelled: what it held goes back, and where the policy is applied, it costs what the policy says. What its
 * student cancelled in time may make one of the credits a make-up.
 */
export function settleCancellation(
  session: KnownSession,
  account: StudentAccount,
  terms: PolicyTerms,
  cancellation: SessionCancellation,
  moment: Moment,
  makeUp?: MakeUpTerms,
): Settled {
  const { motivo, aplicar_politica = false, justificativa = null, previsto } = cancellation;
  const effect = cancellationEffect(session, motivo, terms, account.valor, moment.now);
  refuseWrongReason(effect, terms, cancellation);
  const returned = returnCredit(session, account, moment);
  const { events, credito } =
    aplicar_politica && effect.usa_credito
      ? useCredit(session, after(account, returned), 'cancelamento', moment)
      : { events: [], credito: 'nenhum' as const };
  const applied = aplicar_politica ? { terms, effect } : null;
  const cancelled = decideCancel(session, { motivo, justificativa, applied, credito, valor: account.valor });
  const taxa = applied?.effect.taxa ?? 0;
  refuseOtherCost(previsto, { usou_credito: credito === 'usado', sem_credito: credito === 'faltou', taxa });
  const made =
    makeUp && givesMakeUp(session, motivo)
      ? decideMakeUp(account.credits, lineOf(account, moment), session, makeUp)
      : [];
  return {
    credits: [{ student_id: account.student_id, events: [...returned, ...events, ...made] }],
    session: cancelled,
  };
}

/** A session is deleted: the credit that it held goes back. */
export function settleDeletion(session: KnownSession, account: StudentAccount, moment: Moment): Settled {
  return {
    credits: [{ student_id: account.student_id, events: returnCredit(session, account, moment) }],
    session: decideDelete(session),
  };
}

/** A deletion is undone: what the session had of credits is asked for again. */
export function settleRestoration(
  session: KnownSession,
  account: StudentAccount,
  permitir_conflito: boolean,
  moment: Moment,
): Settled {
  const { events, credito } =
    session.credito === 'nenhum'
      ? { events: [], credito: session.credito }
      : useCredit(session, account, causeOf(session), moment);
  return {
    credits: [{ student_id: account.student_id, events }],
    session: decideRestore(session, credito, permitir_conflito),
  };
}

/**
 * Details change. Where the session goes to another student (`transfer`), the credit goes back to the one and is used of the
 * other.
 */
export function settleChange(
  session: KnownSession,
  wished: SessionDetails,
  transfer: { from: StudentAccount; to: StudentAccount } | null,
  moment: Moment,
): Settled {
  const { credito, valor } = session;
  if (!transfer || credito === 'nenhum')
    return { credits: [], session: decideChange(session, wished, { credito, valor }) };
  const { from, to } = transfer;
  const used = useCredit(session, to, causeOf(session), moment);
  return {
    credits: [
      { student_id: from.student_id, events: returnCredit(session, from, moment) },
      { student_id: to.student_id, events: used.events },
    ],
    session: decideChange(session, wished, { credito: used.credito, valor: to.valor }),
  };
}

function causeOf({ status }: KnownSession): 'sessao' | 'cancelamento' {
  return status === 'feita' ? 'sessao' : 'cancelamento';
}

/** A session takes place after all: what it held goes back, and the make-up that its cancellation gave. */
function undoEffects(session: KnownSession, account: StudentAccount, moment: Moment): CreditEvent[] {
  if (session.status !== 'cancelada' || session.credito === 'usado')
    return returnCredit(session, account, moment);
  return decideTakeMakeUpBack(account.credits, lineOf(account, moment), session.session_id);
}

/** Gives back the credit that the session holds, if it holds one. */
function returnCredit(
  { session_id, credito }: KnownSession,
  account: StudentAccount,
  moment: Moment,
): CreditEvent[] {
  if (credito !== 'usado') return [];
  const returned = decideReturn(account.credits, lineOf(account, moment), session_id);
  return returned === 'none' ? [] : returned;
}

const lineOf = ({ student_id }: StudentAccount, { now, newId }: Moment) => ({
  student_id,
  entry_id: newId(),
  now,
});

/** Uses one of the student's credits for the session, if there is one. */
function useCredit(
  { session_id }: KnownSession,
  { student_id, credits }: StudentAccount,
  causa: 'sessao' | 'cancelamento',
  { now, newId }: Moment,
): { events: CreditEvent[]; credito: CreditUse } {
  const used = decideConsume(credits, { student_id, entry_id: newId(), now }, { causa, session_id });
  return used === 'none' ? { events: [], credito: 'faltou' } : { events: used, credito: 'usado' };
}

function after(account: StudentAccount, events: readonly CreditEvent[]): StudentAccount {
  return {
    ...account,
    credits: events.reduce((state, event) => creditAccount.evolve(state, event), account.credits),
  };
}
