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
  type Today,
} from '../sessions/session.js';

/**
 * Pure functions that decide together what happens to a session and to its student's credits: states, time and ids are
 * arguments.
 */

/** The part of a student's state that a settlement needs. */
export interface StudentAccount {
  student_id: string;
  credits: CreditState;
  /** Value of a session of this student in cents; null without a plan that gives credits. */
  valor: number | null;
}

export interface Moment extends Today {
  /** A fresh UUID for each line of the ledger. */
  newId: () => string;
}

/** Events to append: to the credit account of each student, and to the session. */
export interface Settled {
  credits: { student_id: string; events: CreditEvent[] }[];
  session: SessionEvent[];
}

/** Completes a session: it uses one credit, or records that there was none. */
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
    session: decideComplete(session, { credito, valor: account.valor, permitir_conflito }, moment),
  };
}

/** Schedules a session again: returns the credit that it held, or takes back the make-up that it gave. */
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
 * Cancels a session: returns the credit that it held and applies the policy's cost, if the policy is applied. A cancellation
 * in time by the student may turn one of the credits into a make-up.
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

/** Deletes a session: returns the credit that it held. */
export function settleDeletion(session: KnownSession, account: StudentAccount, moment: Moment): Settled {
  return {
    credits: [{ student_id: account.student_id, events: returnCredit(session, account, moment) }],
    session: decideDelete(session),
  };
}

/** Undoes a deletion: uses a credit again if the session held one. */
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
    session: decideRestore(session, credito, permitir_conflito, moment),
  };
}

/**
 * Changes details. If the session gets another student (`transfer`), the credit is returned to the former student and one of
 * the new student's is used.
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

/** Undoes the effects of a cancellation: returns the credit that it used, and takes back the make-up that it gave. */
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
