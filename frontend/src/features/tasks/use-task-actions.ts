import type { TaskPlace } from '../../../../backend/modules/tasks/tasks.api.js';
import { useSend } from '../../lib/command.js';
import { formatDay } from '../../lib/dates.js';
import { isLocal } from '../../lib/outbox.js';
import { putBack, queuedNote, unmake, WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { useToday } from '../../lib/zone.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import type { ShownTask } from './pending-task.js';
import { useDeleteTask, useMoveTask, useStepTask, type TaskStep } from './tasks.queries.js';

type Target = Pick<ShownTask, 'id' | 'titulo'> & Partial<Pick<ShownTask, 'repeticao'>>;

const FAILED = 'Erro ao atualizar tarefa';

/** Completes, reopens, moves and deletes tasks, each with a toast and an undo. */
export function useTaskActions() {
  const step = useStepTask();
  const move = useMoveTask();
  const removal = useDeleteTask();
  const restoration = useSend('POST /tasks/restore');

  /** Removes a task that is still in the outbox, without any request. */
  const send = async ({ id, titulo }: Target, wanted: TaskStep) =>
    (await withdraw(id)) ? null : step.mutateAsync({ id, titulo, step: wanted });

  const takeBack = (task: Target, wanted: TaskStep) => attempt(() => send(task, wanted), FAILED);

  const reopen = ({ id, titulo, repeticao = 'nao_se_repete' }: Target) =>
    attempt(async () => {
      const answer = await send({ id, titulo }, 'reopen');
      if (answer === null) return;
      toast.success('Tarefa reaberta', {
        description:
          queuedNote(answer) ??
          (repeticao === 'nao_se_repete' ? titulo : `${titulo}. A próxima só fica se você a alterou.`),
        undo: () => takeBack({ id, titulo }, 'complete'),
        undone: 'Tarefa concluída',
      });
    }, FAILED);

  const complete = (task: Target) =>
    attempt(async () => {
      const { id, titulo } = task;
      const outcome = await step.mutateAsync({ id, titulo, step: 'complete' });
      toast.success('Tarefa concluída', {
        description:
          'queued' in outcome
            ? WILL_BE_SENT
            : outcome.proxima === null
              ? titulo
              : `${titulo}. A próxima já está na lista.`,
        undo: () => takeBack(task, 'reopen'),
        undone: 'Tarefa reaberta',
      });
    }, FAILED);

  const remove = async ({ id, titulo }: Target): Promise<boolean> => {
    const done = await attempt(async () => {
      const gone = isLocal(id) ? await unmake(id) : [];
      if (gone.length === 0) await removal.mutateAsync({ id, titulo });
      const bringBack = async () => {
        if (gone.length > 0) return putBack(gone);
        if (!(await withdraw(id))) await restoration.mutateAsync({ ids: [id] });
      };
      toast.success('Tarefa excluída com sucesso!', takenBack(bringBack, 'Exclusão desfeita'));
    }, 'Erro ao excluir tarefa');
    return done;
  };

  /** `former`: the current place, for the undo. */
  const put = ({ id, titulo }: Target, place: TaskPlace, former: TaskPlace | null) => {
    const beside = 'depois_de' in place ? place.depois_de : place.antes_de;
    if (isLocal(id) || isLocal(beside)) {
      toast.error(FAILED, { description: 'A ordem muda depois que a tarefa for enviada.' });
      return Promise.resolve(false);
    }
    return attempt(async () => {
      const answer = await move.mutateAsync({ id, titulo, place });
      const undo = async () => {
        const isUnsent = 'queued' in answer && (await withdraw(id));
        if (!isUnsent && former) await move.mutateAsync({ id, titulo, place: former });
      };
      toast.success('Ordem alterada', {
        description: queuedNote(answer) ?? titulo,
        ...takenBack(undo),
      });
    }, FAILED);
  };

  return {
    complete: (task: Target) => void complete(task),
    reopen: (task: Target) => void reopen(task),
    remove,
    put,
    busy: step.isPending,
  };
}

/** "amanhã", "qui., 26 de nov.": the day of a task in words. */
export function useDayWords() {
  const today = useToday();
  return (day: string) => formatDay(day, today);
}
