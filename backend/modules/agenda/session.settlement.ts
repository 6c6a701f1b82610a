import { creditAccount, type CreditEvent, decideConsume, decideReturn } from '../credits/credit-account.js';
import type { Account, Accounts } from '../credits/credit-sharing.js';
import { accountInTurn, decideMakeUp, decideTakeMakeUpBack, type MakeUpTerms } from '../credits/make-up.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { SessionCancellation } from './agenda.api.js';
import {
  cancellationEffect,
  givesMakeUp,
  priceOf,
  refuseOtherCost,
  refuseWrongReason,
  usesCredit,
} from './cancellation.js';
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
export interface StudentAccount extends Accounts {
  /** Value of a session of this student in cents; null without a plan that gives credits. */
  valor: number | null;
}

export interface Moment extends Today {
  /** A fresh UUID for each line of the ledger. */
  newId: () => string;
}

/** `sem_minimo`: its class has too few students, of so many. */
export type Cancellation = SessionCancellation & { sem_minimo?: number };

/** Events to append: to the credit accounts, each to that of its student, and to the session. */
export interface Settled {
  credits: CreditEvent[];
  session: SessionEvent[];
}

/** Completes a session: it uses one credit, or records that there was none. `usesCredit` false: its booking has a charge. */
export function settleCompletion(
  session: KnownSession,
  account: StudentAccount,
  permitir_conflito: boolean,
  moment: Moment,
  usesCredit = true,
): Settled {
  const returned = undoEffects(session, account, moment);
  const { events, credito } = usesCredit
    ? useCredit(session, after(account, returned), 'sessao', moment)
    : { events: [], credito: 'nenhum' as const };
  return {
    credits: [...returned, ...events],
    session: decideComplete(
      session,
      { credito, valor: valueOf(session, account, credito), permitir_conflito },
      moment,
    ),
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
    credits: undoEffects(session, account, moment),
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
  cancellation: Cancellation,
  moment: Moment,
  makeUp?: MakeUpTerms,
): Settled {
  const { motivo, aplicar_politica = false, justificativa = null, sem_minimo, previsto } = cancellation;
  const price = priceOf(session, account.valor);
  const effect = cancellationEffect(session, motivo, terms, price, moment.now);
  refuseWrongReason(effect, terms, cancellation);
  const returned = returnCredit(session, account, moment);
  const { events, credito } =
    aplicar_politica && effect.usa_credito
      ? useCredit(session, after(account, returned), 'cancelamento', moment)
      : { events: [], credito: 'nenhum' as const };
  const applied = aplicar_politica ? { terms, effect } : null;
  const cancelled = decideCancel(session, {
    motivo,
    justificativa,
    sem_minimo,
    applied,
    credito,
    valor: valueOf(session, account, credito),
  });
  const taxa = applied?.effect.taxa ?? 0;
  refuseOtherCost(previsto, { usou_credito: credito === 'usado', sem_credito: credito === 'faltou', taxa });
  const giving =
    makeUp && givesMakeUp(session, motivo) ? accountInTurn(inUse(account), session, moment.now) : undefined;
  const made = giving ? decideMakeUp(giving.credits, lineOf(giving, moment), session, makeUp!) : [];
  return {
    credits: [...returned, ...events, ...made],
    session: cancelled,
  };
}

/** Deletes a session: returns the credit that it held. */
export function settleDeletion(session: KnownSession, account: StudentAccount, moment: Moment): Settled {
  return {
    credits: returnCredit(session, account, moment),
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
    credits: events,
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
  const returned = returnCredit(session, from, moment);
  // Both may use the same credits.
  const used = useCredit(session, after(to, returned), causeOf(session), moment);
  return {
    credits: [...returned, ...used.events],
    session: decideChange(session, wished, {
      credito: used.credito,
      valor: valueOf(session, to, used.credito),
    }),
  };
}

function causeOf({ status }: KnownSession): 'sessao' | 'cancelamento' {
  return status === 'feita' ? 'sessao' : 'cancelamento';
}

/** Undoes the effects of a cancellation: returns the credit that it used, and takes back the make-up that it gave. */
function undoEffects(session: KnownSession, account: StudentAccount, moment: Moment): CreditEvent[] {
  if (session.status !== 'cancelada' || session.credito === 'usado')
    return returnCredit(session, account, moment);
  return everUsed(account).flatMap((each) =>
    decideTakeMakeUpBack(each.credits, lineOf(each, moment), session.session_id),
  );
}

/** In the order of use. */
export const inUse = ({ dividida, ...own }: Accounts): Account[] => [own, ...(dividida ? [dividida] : [])];
const everUsed = (account: StudentAccount): Account[] => [...inUse(account), ...account.antigas];

/** Gives back the credit that the session holds, if it holds one, to the account that it is of. */
function returnCredit(
  { session_id, credito }: KnownSession,
  account: StudentAccount,
  moment: Moment,
): CreditEvent[] {
  if (credito !== 'usado') return [];
  return everUsed(account).flatMap((each) => {
    const returned = decideReturn(each.credits, lineOf(each, moment), session_id);
    return returned === 'none' ? [] : returned;
  });
}

const lineOf = ({ student_id }: Account, { now, newId }: Moment) => ({
  student_id,
  entry_id: newId(),
  now,
});

/** What a session was worth: with a credit, what the student paid for it. */
const valueOf = (session: KnownSession, { valor }: StudentAccount, credito: CreditUse): number | null =>
  credito === 'usado' ? valor : priceOf(session, valor);

/**
 * Uses one of the student's credits for the session, or else one of those that are shared, if there is one. A session that takes none is
 * to be paid, unless it is free.
 */
function useCredit(
  session: KnownSession,
  account: StudentAccount,
  causa: 'sessao' | 'cancelamento',
  moment: Moment,
): { events: CreditEvent[]; credito: CreditUse } {
  if (!usesCredit(session)) return { events: [], credito: session.servico?.valor ? 'faltou' : 'nenhum' };
  const { session_id } = session;
  for (const each of inUse(account)) {
    const events = decideConsume(each.credits, lineOf(each, moment), { causa, session_id });
    if (events !== 'none') return { events, credito: 'usado' };
  }
  return { events: [], credito: 'faltou' };
}

/** The accounts once these events are recorded. */
function after(account: StudentAccount, events: readonly CreditEvent[]): StudentAccount {
  const folded = <One extends Account>(one: One): One => ({
    ...one,
    credits: events
      .filter(({ data }) => data.student_id === one.student_id)
      .reduce((state, event) => creditAccount.evolve(state, event), one.credits),
  });
  const { dividida, antigas } = account;
  return {
    ...folded(account),
    dividida: dividida && folded(dividida),
    antigas: antigas.map(folded),
  };
}
