import type { Colour } from '../../../../backend/platform/colours.api.js';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  CompletedTask,
  NewTask,
  Task,
  TaskChanges,
  TaskLists,
  TaskPage,
  TaskPlace,
} from '../../../../backend/modules/tasks/tasks.api.js';
import { read } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { addDays, type Day } from '../../lib/dates.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { isLocal, localName } from '../../lib/outbox.js';
import { usePaged } from '../../lib/paged.js';
import { sendOrQueue, useDoneHere } from '../../lib/pending.js';
import { useToday } from '../../lib/zone.js';
import { createdTask, type ShownTask, tasksWithPending, taskTitle, withPending } from './pending-task.js';
import { reads } from '../../lib/topics.js';

/** First part of the query keys of tasks. */
const TASKS = reads('tasks', ['task-lists', 'settings']);
/** First part of the query keys of lists, whose answers contain numbers of tasks. */
const TASK_LISTS = reads('task-lists', ['tasks', 'settings']);

const PAGE = 100;

async function readAll(query: Record<string, string>, signal: AbortSignal): Promise<Task[]> {
  const items: Task[] = [];
  let cursor: string | null = null;
  do {
    const page: TaskPage = await read('GET /tasks', { query: { ...query, limit: PAGE, cursor }, signal });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** Offline copy, without the descriptions. */
const keptTasks = cachedOffline<Task[]>();

/** All open tasks in their order; each list filters them, so that all lists work offline. */
export const openTasks = queryOptions({
  queryKey: [TASKS, 'open'],
  queryFn: ({ signal }) => readAll({ situacao: 'abertas' }, signal),
  persister: keptTasks,
});

export const taskLists = queryOptions({
  queryKey: [TASK_LISTS],
  queryFn: ({ signal }) => read('GET /task-lists', { signal }),
  persister: cachedOffline<TaskLists>(),
});

export const useTaskLists = () => useQuery(taskLists);

/** Open tasks with the changes in the outbox applied; tasks whose completion is not sent yet are included. */
export function useOpenTasks() {
  const writes = useDoneHere();
  const query = useQuery(openTasks);
  const { data } = query;
  const tasks = useMemo(() => data && tasksWithPending(data, writes), [data, writes]);
  return { ...query, data: tasks };
}

/** The completed tasks of a list, or of all lists, latest first. */
export function useCompletedTasks(listId: string | null) {
  return usePaged([TASKS, 'completed', listId], (cursor, signal) =>
    read('GET /tasks', { query: { situacao: 'concluidas', list_id: listId, cursor, limit: 20 }, signal }),
  );
}

/** The tasks of the days from `first` to `last`, by date. */
export function useTasksOf(first: Day, last: Day) {
  const writes = useDoneHere();
  const query = useQuery({
    queryKey: [TASKS, 'range', first, last],
    queryFn: ({ signal }) => readAll({ from: first, to: addDays(last, 1) }, signal),
    persister: keptTasks,
  });
  const { data } = query;
  const tasks = useMemo(
    () =>
      data &&
      tasksWithPending(data, writes).filter(
        ({ data_vencimento: day }) => day !== null && day >= first && day <= last,
      ),
    [data, writes, first, last],
  );
  return { ...query, data: tasks };
}

/** The same tasks, grouped by day. */
export function useTasksByDay(first: Day, last: Day): ReadonlyMap<Day, readonly ShownTask[]> {
  const { data } = useTasksOf(first, last);
  return useMemo(() => {
    const byDay = new Map<Day, ShownTask[]>();
    for (const task of data ?? []) {
      if (task.data_vencimento === null) continue;
      byDay.set(task.data_vencimento, [...(byDay.get(task.data_vencimento) ?? []), task]);
    }
    return byDay;
  }, [data]);
}

/** The open tasks that are due today or overdue. */
export function useDueTasks() {
  const today = useToday();
  const writes = useDoneHere();
  const query = useQuery({
    queryKey: [TASKS, 'due', today],
    queryFn: ({ signal }) => readAll({ situacao: 'abertas', to: addDays(today, 1) }, signal),
    persister: keptTasks,
  });
  const { data } = query;
  const tasks = useMemo(
    () => data?.flatMap((task) => withPending(task, writes) ?? []).filter(({ concluida }) => !concluida),
    [data, writes],
  );
  return { ...query, data: tasks };
}

/** One task: first from the list that is already loaded, then from the server. */
export function useTask(id: string, isLeaving: boolean) {
  const client = useQueryClient();
  const writes = useDoneHere();
  const created = writes.find(({ subject, makes }) => makes && subject === id);
  const listed = () =>
    client
      .getQueriesData<Task[]>({ queryKey: [TASKS] })
      .flatMap(([, tasks]) => (Array.isArray(tasks) ? tasks : []))
      .find((task) => task.id === id);
  return useQuery<ShownTask>({
    // The server does not know a task that is still in the outbox.
    enabled: !isLocal(id) && !isLeaving,
    queryKey: [TASKS, 'one', id],
    // A deleted task stays visible in the sheet that is open.
    select: (task) => withPending(task, writes) ?? task,
    queryFn: ({ signal }) => read('GET /tasks/:id', { of: [id], signal }),
    initialData: () => (created ? createdTask(created) : listed()),
    initialDataUpdatedAt: 0,
  });
}

/** A task's id and its title for messages. */
interface Target {
  id: string;
  titulo: string;
}

/** Name and colour of the task's list, for display; the request body has only its id. */
export type ListShown = { list_nome: string | null; list_cor: Colour | null };

/** Creates a task, or puts the request into the outbox while offline; returns its id in both cases. */
export function useCreateTask() {
  return useCommand({
    send: async ({ body, shows }: { body: NewTask; shows: ListShown }, key) => {
      const subject = localName(key);
      const answer = await sendOrQueue<{ id: string }>({
        key,
        method: 'POST',
        path: '/tasks',
        body,
        shows,
        subject,
        makes: true,
        effect: 'create-task',
        title: taskTitle(body.titulo),
      });
      return 'queued' in answer ? { id: subject, queued: true } : { ...answer, queued: false };
    },
  });
}

export function useChangeTask() {
  return useCommand({
    send: ({ id, titulo, body, shows }: Target & { body: TaskChanges; shows: ListShown }, key) =>
      sendOrQueue<{ id: string }>({
        key,
        method: 'PATCH',
        path: `/tasks/${id}`,
        body,
        shows,
        subject: id,
        effect: 'edit-task',
        title: taskTitle(titulo),
      }),
  });
}

export type TaskStep = 'complete' | 'reopen';

export function useStepTask() {
  return useCommand({
    send: ({ id, titulo, step }: Target & { step: TaskStep }, key) =>
      sendOrQueue<CompletedTask>({
        key,
        method: 'POST',
        path: `/tasks/${id}/${step}`,
        subject: id,
        effect: `${step}-task`,
        title: taskTitle(titulo),
      }),
  });
}

export function useMoveTask() {
  return useCommand({
    send: ({ id, titulo, place }: Target & { place: TaskPlace }, key) =>
      sendOrQueue<{ id: string }>({
        key,
        method: 'POST',
        path: `/tasks/${id}/move`,
        body: place,
        subject: id,
        effect: 'move-task',
        title: taskTitle(titulo),
      }),
  });
}

export function useDeleteTask() {
  return useCommand({
    send: ({ id, titulo }: Target, key) =>
      sendOrQueue<{ id: string }>({
        key,
        method: 'DELETE',
        path: `/tasks/${id}`,
        subject: id,
        effect: 'delete-task',
        alreadySo: 'tasks.not_found',
        title: taskTitle(titulo),
      }),
  });
}
