import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { freshLink } from '../charges/charges.commands.js';
import { cancel, loadSession, moveBack } from '../agenda/agenda.commands.js';
import { loadTerms } from '../agenda/session.loads.js';
import { about, isInTime, requestToAnswer, sessionRequest } from './session-request.js';
import type { RequestRefusal, RequestGrant } from './student-area.api.js';

/** The trainer grants a request, with the policy's cost or without. */
export const GrantRequest = defineCommand(
  'GrantRequest',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, { perdoar, previsto }: RequestGrant) => {
    const link = freshLink(tokens);
    const [state, request] = await Promise.all([loadSession(tx, id), tx.load(sessionRequest, id)]);
    const { pedido, novo_inicio, novo_fim, no_prazo } = requestToAnswer(request, state, tx.now);
    if (novo_inicio !== null && novo_fim !== null) {
      if (Date.parse(novo_inicio) <= tx.now.getTime()) throw new Problem('student_area.over');
      tx.append(sessionRequest, id, [{ type: 'SessionRequestGranted', data: { ...about(state), pedido } }]);
      const { status } = await moveBack(tx, state, { inicio: novo_inicio, fim: novo_fim });
      return { id, status };
    }
    const { cancel_limite_horas: hours } = await loadTerms(tx, state);
    const isLate = !isInTime(state, hours, tx.now);
    // A request made in time costs what the student saw then, even if the answer comes too late.
    const isExcused = isLate && no_prazo;
    tx.append(sessionRequest, id, [{ type: 'SessionRequestGranted', data: { ...about(state), pedido } }]);
    const cancellation = {
      motivo: isLate && !isExcused ? 'aluno_fora_do_prazo' : 'aluno_no_prazo',
      aplicar_politica: !perdoar && !isExcused,
      ...(previsto && { previsto }),
    } as const;
    const { status } = await cancel(tx, state, cancellation, link);
    return { id, status };
  },
);

/** The trainer refuses a request; the session stays as it is. */
export const RefuseRequest = defineCommand(
  'RefuseRequest',
  async (tx, id: string, { mensagem }: RequestRefusal) => {
    const [state, request] = await Promise.all([loadSession(tx, id), tx.load(sessionRequest, id)]);
    const { pedido } = requestToAnswer(request, state, tx.now);
    tx.append(sessionRequest, id, [
      { type: 'SessionRequestRefused', data: { ...about(state), pedido, mensagem } },
    ]);
    return { id, status: state.status };
  },
);
