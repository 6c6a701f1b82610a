import type { SessionStatus } from '../../../../backend/modules/sessions/sessions.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSendTo } from '../../lib/command.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { queuedNote, WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useCancelSession, useMoveSession, type SessionStep } from './agenda.queries.js';
import { useCancelGroup, useCompleteGroup } from './groups.queries.js';
import { sessionTitle, type ShownSession } from './pending-session.js';
import { cancellationOf } from './cancelled-again.js';
import { completedInWords } from './credit-words.js';

/** Completes and reopens a session, or completes and reopens an hour of several, each with a toast and an undo. */
export function useSessionActions(session: ShownSession) {
  const { id, student_nome, inicio, grupo_id, membros } = session;
  const zone = useZone();
  const title = () => sessionTitle({ student_nome, inicio }, zone);
  const move = useMoveSession();
  const cancellation = useCancelSession();
  const completion = useCompleteGroup();
  const groupCancellation = useCancelGroup();
  const reopening = useSendTo('POST /sessions/groups/:id/reopen');
  const who = student_nome ?? 'O aluno';

  /**
   * The time of a restored session may be taken: the refusal offers to share it. `de`: the status from which it is
   * restored.
   */
  const bringBack = async (
    step: SessionStep,
    de?: SessionStatus,
    permitir_conflito = false,
  ): Promise<boolean> => {
    try {
      // A completion that is still in the outbox is removed from it.
      if (!(await withdraw(id)))
        await move.mutateAsync({ id, title: title(), step, permitir_conflito, ...(de && { de }) });
      return true;
    } catch (error) {
      const taken = isTimeRefusal(error);
      toast.error('Erro ao atualizar agendamento', {
        description: messageOf(error),
        ...(taken && {
          action: { label: 'Agendar mesmo assim', onClick: () => void bringBack(step, de, true) },
        }),
      });
      return false;
    }
  };

  /** Schedules sessions of an hour again, and says so if asked to. Refused as `bringBack` is. */
  const bringAllBack = async (
    session_ids: string[],
    de: 'feita' | 'cancelada',
    say?: () => void,
    permitir_conflito = false,
  ): Promise<boolean> => {
    try {
      await reopening.mutateAsync({ id: grupo_id!, session_ids, de, permitir_conflito });
      say?.();
      return true;
    } catch (error) {
      const again = () => void bringAllBack(session_ids, de, say, true);
      toast.error('Erro ao atualizar agendamento', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && { action: { label: 'Agendar mesmo assim', onClick: again } }),
      });
      return false;
    }
  };

  /** Undoes a reopening: completes the session, or cancels it with its old cost. */
  const closeAgain = async () => {
    if (await withdraw(id)) return;
    const target = { id, title: title() };
    if (session.status === 'feita') await move.mutateAsync({ ...target, step: 'complete', de: 'agendada' });
    else await cancellation.mutateAsync({ ...target, body: cancellationOf(session, 'agendada') });
  };

  const reopen = async (permitir_conflito = false): Promise<void> => {
    try {
      if (await withdraw(id)) return;
      const answer = await move.mutateAsync({ id, title: title(), step: 'reopen', permitir_conflito });
      toast.success('Sessão reaberta', {
        description: queuedNote(answer) ?? (session.usou_credito ? 'Devolveu 1 crédito.' : undefined),
        ...takenBack(closeAgain, 'Reabertura desfeita'),
      });
    } catch (error) {
      toast.error('Erro ao atualizar agendamento', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && {
          action: { label: 'Agendar mesmo assim', onClick: () => void reopen(true) },
        }),
      });
    }
  };

  const complete = () =>
    attempt(async () => {
      const outcome = await move.mutateAsync({ id, title: title(), step: 'complete' });
      toast.success('Sessão marcada como feita', {
        description: 'queued' in outcome ? WILL_BE_SENT : completedInWords(session, outcome, who),
        undo: () => bringBack('reopen', 'feita'),
        undone: 'Sessão reaberta',
      });
    }, 'Erro ao atualizar agendamento');

  /** Completes all scheduled sessions of an hour. */
  const completeAll = (group: string) =>
    attempt(async () => {
      const outcome = await completion.mutateAsync({ id: group, inicio, title: title() });
      const undo = async () => {
        if (!('queued' in outcome)) await reopening.mutateAsync({ ...outcome, de: 'feita' });
        else if (!(await withdraw(group))) throw new Error('it was sent meanwhile');
      };
      toast.success('Sessões marcadas como feitas', {
        description:
          'queued' in outcome ? WILL_BE_SENT : plural(outcome.session_ids.length, 'sessão', 'sessões'),
        ...takenBack(undo, 'Sessões reabertas'),
      });
    }, 'Erro ao atualizar agendamento');

  /** Reopens the sessions of an hour that are done, or that the trainer cancelled. */
  const reopenAll = (session_ids: string[], de: 'feita' | 'cancelada') =>
    bringAllBack(session_ids, de, () => {
      const closing = de === 'feita' ? completion : groupCancellation;
      const again = () => closing.mutateAsync({ id: grupo_id!, inicio, title: title() });
      toast.success('Sessões reabertas', takenBack(again, 'Reabertura desfeita'));
    });

  return {
    complete: () => void (membros && grupo_id ? completeAll(grupo_id) : complete()),
    reopen,
    /** Undoes a cancellation. */
    uncancel: () => bringBack('reopen', 'cancelada'),
    /** Undoes the cancellation of an hour. */
    uncancelAll: (session_ids: string[]) => bringAllBack(session_ids, 'cancelada'),
    reopenAll,
    bringBack,
    busy: move.isPending || completion.isPending || reopening.isPending,
  };
}
