import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { bringBack, cancel } from '../agenda/agenda.commands.js';
import { type KnownSession, ownSession, session } from '../agenda/session.js';
import { cancellationPolicy } from '../policies/cancellation-policy.js';
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
import type { NewSessionRequest } from './student-area.api.js';

/** Within the notice, and then it costs nothing. */
export const CancelOwnSession = defineCommand('CancelOwnSession', async (tx, id: string) => {
  const state = await loadOwn(tx, id);
  if (state.status === 'cancelada') return { id };
  refuseOver(state, tx.now);
  await refuseLate(tx, state);
  await cancel(tx, state, { motivo: 'aluno_no_prazo', aplicar_politica: true });
  tx.append(sessionRequest, id, decideDone(state, 'desmarcar', tx.now));
  return { id };
});

/** Takes back what the student did last with the session, for as long as its place is free. */
export const UndoOwnChange = defineCommand('UndoOwnChange', async (tx, id: string) => {
  const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  const { pedido } = undoable(request, state, tx.now);
  const back = await bringBack(tx, state);
  tx.append(sessionRequest, id, [{ type: 'SessionChangeUndone', data: { ...about(back), pedido } }]);
  return { id };
});

/** Later than the notice: the trainer decides, and until then the session stays. */
export const RequestCancellation = defineCommand(
  'RequestCancellation',
  async (tx, id: string, { motivo }: NewSessionRequest) => {
    const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
    const wanted = { pedido: 'desmarcar' as const, novo: null, motivo };
    tx.append(sessionRequest, id, decideRequest(request, state, wanted, tx.now));
    return { id };
  },
);

export const WithdrawRequest = defineCommand('WithdrawRequest', async (tx, id: string) => {
  const [state, request] = await Promise.all([loadOwn(tx, id), tx.load(sessionRequest, id)]);
  tx.append(sessionRequest, id, decideWithdraw(request, state));
  return { id };
});

async function loadOwn(tx: CommandTransaction, id: string): Promise<KnownSession> {
  return ownSession(await tx.load(session, id), tx.context);
}

/** By the policy in force at the session's place. */
async function refuseLate(tx: CommandTransaction, state: KnownSession): Promise<void> {
  const { cancel_limite_horas: hours } = await tx.load(
    cancellationPolicy,
    state.location_id ?? tx.context.tenantId,
  );
  if (!isInTime(state, hours, tx.now))
    throw new Problem('student_area.late', {
      detail: `Faltam menos de ${hours} h para a aula. Envie um pedido ao seu personal.`,
    });
}
