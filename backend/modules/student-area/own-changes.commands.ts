import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { bringBack, cancel, moveBack, remove } from '../agenda/agenda.commands.js';
import { loadTerms } from '../agenda/session.loads.js';
import { refuseTakenSeat } from '../classes/classes.loads.js';
import { confirm, reminderIdOf } from '../reminders/reminders.commands.js';
import { session } from '../sessions/session.js';
import { decideShow, partnerName } from './partner-name.js';
import { loadOwn, periodFor, refuseLate, refuseOffered } from './own-session.loads.js';
import {
  about,
  decideDone,
  decideRequest,
  decideWithdraw,
  isInTime,
  refuseOver,
  sessionRequest,
  undoable,
} from './session-request.js';
import type { PartnerNameChoice, NewSessionRequest } from './student-area.api.js';

/** Cancels a session, in time by the policy and without cost. */
export const CancelOwnSession = defineCommand('CancelOwnSession', async (tx, id: string) => {
  const [state] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  if (state.status === 'cancelada') return { id };
  refuseOver(state, tx.now);
  await refuseLate(tx, state);
  const left = await cancel(tx, state, { motivo: 'aluno_no_prazo', aplicar_politica: true });
  tx.append(sessionRequest, id, decideDone(state, left, 'desmarcar', tx.now));
  return { id };
});

/** Undoes the student's last change of the session, while its old time is free and nobody has changed the session since. */
export const UndoOwnChange = defineCommand('UndoOwnChange', async (tx, id: string) => {
  const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  const { pedido, inicio, fim } = undoable(request, state, tx.now);
  if (pedido === 'agendar') {
    await remove(tx, state);
    tx.append(sessionRequest, id, [{ type: 'SessionChangeUndone', data: { ...about(state), pedido } }]);
    return { id };
  }
  await refuseOffered(tx, { inicio, fim });
  if (pedido === 'desmarcar') await refuseTakenSeat(tx, state);
  const back =
    pedido === 'desmarcar' ? await bringBack(tx, state) : await moveBack(tx, state, { inicio, fim });
  tx.append(sessionRequest, id, [{ type: 'SessionChangeUndone', data: { ...about(back), pedido } }]);
  return { id };
});

/** Whether students who share an hour may see the first name; shown only if both agree. */
export const ShowPartnerName = defineCommand('ShowPartnerName', async (tx, { mostra }: PartnerNameChoice) => {
  const id = tx.context.studentId!;
  tx.append(partnerName, id, decideShow(await tx.load(partnerName, id), id, mostra));
  return { id };
});

/** Requests a change that is late by the policy, or made by a link. The trainer decides; until then the session stays. */
export const RequestChange = defineCommand(
  'RequestChange',
  async (tx, id: string, { motivo, inicio }: NewSessionRequest) => {
    const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
    const { cancel_limite_horas: hours } = await loadTerms(tx, state);
    const said = { motivo, no_prazo: isInTime(state, hours, tx.now) };
    const wanted = inicio
      ? { pedido: 'remarcar' as const, novo: await periodFor(tx, state, inicio), ...said }
      : { pedido: 'desmarcar' as const, novo: null, ...said };
    tx.append(sessionRequest, id, decideRequest(request, state, wanted, tx.now));
    return { id };
  },
);

/** The student will come, so a request to cancel or move the session is withdrawn. */
export const ConfirmOwnSession = defineCommand('ConfirmOwnSession', async (tx, id: string) => {
  const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  tx.append(sessionRequest, id, decideWithdraw(request, state));
  return confirm(tx, reminderIdOf(state), id);
});

/** The same by the link of a reminder, without signing in. */
export const ConfirmPresence = defineCommand('ConfirmPresence', (tx, reminderId: string, sessionId: string) =>
  confirmPresence(tx, reminderId, sessionId),
);

export async function confirmPresence(tx: CommandTransaction, reminderId: string, sessionId: string) {
  const [state, request] = await Promise.all([
    tx.load(session, sessionId),
    tx.load(sessionRequest, sessionId),
  ]);
  const answer = await confirm(tx, reminderId, sessionId);
  if (state) tx.append(sessionRequest, sessionId, decideWithdraw(request, state));
  return answer;
}

export const WithdrawRequest = defineCommand('WithdrawRequest', async (tx, id: string) => {
  const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  tx.append(sessionRequest, id, decideWithdraw(request, state));
  return { id };
});
