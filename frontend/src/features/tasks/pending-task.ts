import type { Colour } from '../../../../backend/platform/colours.api.js';
import type { NewTask, Task, TaskChanges, TaskPlace } from '../../../../backend/modules/tasks/tasks.api.js';
import { addDays, formatDate, startOfWeek, type Day, type Time } from '../../lib/dates.js';
import { isLocal, type Waiting } from '../../lib/outbox.js';
import { changedBy, inEffect, pendingOver } from '../../lib/pending-over-server.js';

/** A task as the pages show it. */
export type ShownTask = Task & {
  /** A change of it is still in the outbox. */
  pendente?: boolean;
};

/** A task's title for messages. */
export const taskTitle = (titulo: string): string => `A tarefa “${titulo}”`;

/** Name and colour of a list, to be shown before the server answers. */
const shownList = ({ shows }: Waiting) => ({
  list_nome: shows?.list_nome ?? null,
  list_cor: (shows?.list_cor ?? null) as Colour | null,
});

function changed(task: ShownTask, write: Waiting): ShownTask | null {
  const pendente = !write.sending;
  switch (write.effect) {
    case 'complete-task':
      return { ...task, concluida: true, concluida_em: new Date(write.at).toISOString(), pendente };
    case 'reopen-task':
      return { ...task, concluida: false, concluida_em: null, pendente };
    case 'edit-task': {
      const { se_ainda: _, ...changes } = write.body as TaskChanges;
      return {
        ...task,
        ...changes,
        ...(changes.list_id !== undefined && shownList(write)),
        pendente,
      };
    }
    case 'move-task':
      return { ...task, pendente };
    case 'delete-task':
      return null;
    default:
      return task;
  }
}

/** A task with a change from the outbox applied; null where the change deletes it. */
export const withPending = (task: ShownTask, writes: readonly Waiting[]): ShownTask | null =>
  changedBy(task, writes, changed);

/** A task whose creation is still in the outbox. */
export function createdTask(write: Waiting): ShownTask {
  const body = write.body as NewTask;
  return {
    ...body,
    ...shownList(write),
    id: write.subject,
    concluida: false,
    concluida_em: null,
    pendente: true,
  };
}

const makes = (write: Waiting) => (write.effect === 'create-task' ? createdTask(write) : null);

/** Tasks in the server's order, with all changes in the outbox applied; completed tasks stay in the list. */
export function tasksWithPending(tasks: readonly Task[], writes: readonly Waiting[]): ShownTask[] {
  const shown = pendingOver<ShownTask>(tasks, writes, { makes, changes: changed });
  return inEffect(writes)
    .filter(({ effect }) => effect === 'move-task')
    .reduce((order, { subject, body }) => moved(order, subject, body as TaskPlace), shown);
}

/** Items with one of them moved beside another; unchanged if either is missing. */
export function moved<Item extends { id: string }>(
  items: readonly Item[],
  id: string,
  place: TaskPlace,
): Item[] {
  const item = items.find((each) => each.id === id);
  const others = items.filter((each) => each.id !== id);
  const isBehind = 'depois_de' in place;
  const beside = others.findIndex((each) => each.id === (isBehind ? place.depois_de : place.antes_de));
  if (!item || beside === -1) return [...items];
  return others.toSpliced(isBehind ? beside + 1 : beside, 0, item);
}

/** The neighbour to send to move a task to this index; null if the task is already there. */
export function placeAt(items: readonly { id: string }[], id: string, index: number): TaskPlace | null {
  const others = items.filter((each) => each.id !== id);
  const before = others[index - 1];
  const after = others[index];
  if (items[index]?.id === id || (!before && !after)) return null;
  return before ? { depois_de: before.id } : { antes_de: after!.id };
}

/** The task's current place, beside a task that the server knows; null if there is no other such task. */
export function placeOf(items: readonly { id: string }[], id: string): TaskPlace | null {
  const index = items.findIndex((each) => each.id === id);
  const before = items.slice(0, Math.max(index, 0)).findLast((each) => !isLocal(each.id));
  if (before) return { depois_de: before.id };
  const after = items.slice(index + 1).find((each) => !isLocal(each.id));
  return after ? { antes_de: after.id } : null;
}

/**
 * The changes that undo an edit, unless a newer change replaced it; time and repetition were removed together with the
 * date.
 */
export function formerOf(task: Task, changes: TaskChanges): TaskChanges {
  const { data_vencimento, hora, repeticao } = task;
  const fields = Object.entries(task).filter(([name]) => name in changes);
  return {
    ...Object.fromEntries(fields),
    ...(changes.data_vencimento === null && { data_vencimento, hora, repeticao }),
    se_ainda: changes,
  };
}

/** Whether the task is overdue; one without a time is so at the end of its day. */
export function isOverdue(
  { concluida, data_vencimento, hora }: Pick<Task, 'concluida' | 'data_vencimento' | 'hora'>,
  today: Day,
  now: Time,
): boolean {
  if (concluida || data_vencimento === null) return false;
  return data_vencimento < today || (data_vencimento === today && hora !== null && hora < now);
}

/** Open tasks under the days that they are due, soonest first; those of a day by the hour, then in their order. Without empty groups. */
export function byDate(tasks: readonly ShownTask[], today: Day): [title: string, due: ShownTask[]][] {
  const tomorrow = addDays(today, 1);
  const saturday = addDays(startOfWeek(today), 6);
  const titleOf = ({ data_vencimento: day }: ShownTask) => {
    if (day === null) return 'Sem data';
    if (day < today) return 'Vencidas';
    if (day === today) return 'Hoje';
    if (day === tomorrow) return 'Amanhã';
    return day <= saturday ? 'Esta semana' : 'Depois';
  };
  const when = ({ data_vencimento, hora }: ShownTask) => `${data_vencimento ?? '9999'} ${hora ?? ''}`;
  const sorted = tasks.toSorted((a, b) => when(a).localeCompare(when(b)));
  const titles = new Set(sorted.map(titleOf));
  return [...titles].map((title) => [title, sorted.filter((task) => titleOf(task) === title)]);
}

/** Form values of a new task that the server refused. */
export function editNewTask({ body }: Waiting) {
  const { titulo, descricao, data_vencimento, hora, list_id, repeticao } = body as NewTask;
  return {
    to: '/agenda?ver=tarefas&novo=tarefa',
    draft: NEW_TASK_DRAFT,
    values: {
      titulo,
      descricao: descricao ?? '',
      repeticao,
      list_id: list_id ?? '',
      data_vencimento: data_vencimento ? formatDate(data_vencimento) : '',
      dia_inteiro: hora === null,
      hora: hora ?? '',
    },
  };
}

/** Form values of an edit that the server refused. */
export function editTask({ subject, body }: Waiting) {
  const { data_vencimento, hora, se_ainda: _, ...others } = body as TaskChanges;
  return {
    to: `/agenda?${new URLSearchParams({ ver: 'tarefas', tarefa: subject }).toString()}`,
    draft: taskDraft(subject),
    values: {
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value ?? ''])),
      ...(data_vencimento !== undefined && {
        data_vencimento: data_vencimento === null ? '' : formatDate(data_vencimento),
      }),
      ...(hora !== undefined && { dia_inteiro: hora === null, hora: hora ?? '' }),
    },
  };
}

/** Key of a task's edit in the outbox. */
export const taskDraft = (id: string): string => `tarefa.${id}`;

export const NEW_TASK_DRAFT = 'tarefa.nova';
