import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { existingLocation, location } from '../locations/location.js';
import { cancellationPolicy } from '../policies/cancellation-policy.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { activeStudent, refuseForgotten, student } from '../students/student.js';
import type { SessionCancellation } from './agenda.api.js';
import { cancellationEffect, refuseWrongReason } from './cancellation.js';
import { returnCredit, useCredit, valueFor } from './session.dealings.js';
import {
  decideCancel,
  decideChange,
  decideComplete,
  decideReopen,
  decideReschedule,
  type KnownSession,
  type Period,
  session,
  type SessionDetails,
} from './session.js';

/** What several commands do to a session, inside their transaction. */

/** What is known of a forgotten person's sessions may be settled, but is not rewritten. */
async function refuseRewriting(tx: CommandTransaction, { student_id }: KnownSession): Promise<void> {
  refuseForgotten(await tx.load(student, student_id));
}

/** Nor does a forgotten person have sessions to come. */
export async function refuseComing(tx: CommandTransaction, state: KnownSession): Promise<void> {
  if (Date.parse(state.inicio) > tx.now.getTime()) await refuseRewriting(tx, state);
}

export async function reschedule(
  tx: CommandTransaction,
  state: KnownSession,
  to: Period,
  permitir_conflito: boolean,
): Promise<void> {
  const events = decideReschedule(state, to, permitir_conflito);
  if (events.length > 0) await refuseRewriting(tx, state);
  tx.append(session, state.session_id, events);
}

export async function complete(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<void> {
  await returnCredit(tx, state);
  const [valor, credito] = await Promise.all([
    valueFor(tx, state.student_id),
    useCredit(tx, state, 'sessao'),
  ]);
  tx.append(session, state.session_id, decideComplete(state, { credito, valor, permitir_conflito }));
}

export async function reopen(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<void> {
  await refuseComing(tx, state);
  await returnCredit(tx, state);
  tx.append(session, state.session_id, decideReopen(state, permitir_conflito));
}

export async function cancel(
  tx: CommandTransaction,
  state: KnownSession,
  { motivo, aplicar_politica = false, justificativa = null }: SessionCancellation,
): Promise<void> {
  if (justificativa !== null) await refuseRewriting(tx, state);
  const [terms, valor] = await Promise.all([termsAt(tx, state.location_id), valueFor(tx, state.student_id)]);
  const effect = cancellationEffect(state, motivo, terms, valor, tx.now);
  if (aplicar_politica) refuseWrongReason(effect, terms, motivo);
  await returnCredit(tx, state);
  const burns = aplicar_politica && effect.usa_credito;
  const credito = burns ? await useCredit(tx, state, 'cancelamento') : 'nenhum';
  const applied = aplicar_politica ? { terms, effect } : null;
  tx.append(
    session,
    state.session_id,
    decideCancel(state, { motivo, justificativa, applied, credito, valor }),
  );
}

async function termsAt(tx: CommandTransaction, location_id: string | null): Promise<PolicyTerms> {
  if (location_id === null) return defaultPolicy;
  const { cancel_limite_horas, taxa_percent, queima_credito } = await tx.load(
    cancellationPolicy,
    location_id,
  );
  return { cancel_limite_horas, taxa_percent, queima_credito };
}

/** Another student's session: the credit goes back to the one and is used of the other. */
export async function change(
  tx: CommandTransaction,
  state: KnownSession,
  wished: SessionDetails,
): Promise<void> {
  const { student_id = state.student_id, location_id = null } = wished;
  const changesStudent = student_id !== state.student_id;
  const [who, where] = await Promise.all([
    changesStudent ? tx.load(student, student_id) : undefined,
    location_id === null || location_id === state.location_id ? undefined : tx.load(location, location_id),
  ]);
  if (who) activeStudent(who);
  if (where) existingLocation(where);
  let { credito, valor } = state;
  if (changesStudent && credito !== 'nenhum') {
    await returnCredit(tx, state);
    credito = await useCredit(tx, { ...state, student_id }, causeOf(state));
    valor = await valueFor(tx, student_id);
  }
  const events = decideChange(state, wished, { credito, valor });
  if (events.length > 0) await refuseRewriting(tx, state);
  tx.append(session, state.session_id, events);
}

export function causeOf({ status }: KnownSession) {
  return status === 'feita' ? 'sessao' : 'cancelamento';
}
