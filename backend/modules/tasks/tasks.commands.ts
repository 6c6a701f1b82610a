import { randomUUID } from 'node:crypto';
import { generateKeyBetween } from 'fractional-indexing';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import {
  decideChangeList,
  decideCreateList,
  decideDeleteList,
  decideMoveList,
  deletedList,
  existingList,
  isList,
  listsInOrder,
  taskLists,
  type TasksOfDeletedList,
} from './task-lists.js';
import { completedTasksIn, lastPlace, placeAfter, placeBefore, tasksIn } from './task-places.guard.js';
import {
  decideComplete,
  decideCreate,
  decideDelete,
  decideMove,
  decideReopen,
  decideRestore,
  decideUpdate,
  existingTask,
  hasNext,
  type KnownTask,
  task,
} from './task.js';
import type {
  CompletedTasks,
  NewTask,
  NewTaskList,
  SeveralTasks,
  TaskChanges,
  TaskListChanges,
  TaskListDeletion,
  TaskPlace,
} from './tasks.api.js';

/** Most tasks of a list that one command deletes or moves with it. */
const MOST_IN_LIST = 2000;
/** Most completed tasks that one command deletes. */
const MOST_COMPLETED = 1000;

/** It comes last. */
export const CreateTask = defineCommand('CreateTask', async (tx, fields: NewTask) => {
  const [last] = await Promise.all([lastPlace(tx), needList(tx, fields.list_id)]);
  const id = randomUUID();
  tx.append(task, id, decideCreate(id, fields, generateKeyBetween(last, null)));
  return { id };
});

export const UpdateTask = defineCommand('UpdateTask', async (tx, id: string, changes: TaskChanges) => {
  const [state] = await Promise.all([tx.load(task, id), needList(tx, changes.list_id ?? null)]);
  tx.append(task, id, decideUpdate(state, changes));
  return { id };
});

export const MoveTask = defineCommand('MoveTask', async (tx, id: string, place: TaskPlace) => {
  const [moved, beside] = await Promise.all([tx.load(task, id), tx.load(task, besideOf(place))]);
  const { ordem } = existingTask(beside);
  const between: Between =
    'depois_de' in place
      ? [ordem, await placeAfter(tx, ordem, id)]
      : [await placeBefore(tx, ordem, id), ordem];
  tx.append(task, id, decideMove(moved, orderWithin(between, existingTask(moved).ordem)));
  return { id };
});

export const CompleteTask = defineCommand('CompleteTask', async (tx, id: string) => {
  const state = existingTask(await tx.load(task, id));
  const next = hasNext(state)
    ? {
        task_id: randomUUID(),
        ordem: generateKeyBetween(state.ordem, await placeAfter(tx, state.ordem, id)),
      }
    : null;
  const today = dateOf(tx.now, tx.context.timezone);
  const { completed, created } = decideComplete(state, { at: tx.now.toISOString(), today }, next);
  tx.append(task, id, completed);
  if (next) tx.append(task, next.task_id, created);
  return { id, proxima: (await knownTask(tx, id)).proxima };
});

export const ReopenTask = defineCommand('ReopenTask', async (tx, id: string) => {
  const state = existingTask(await tx.load(task, id));
  const next = state.proxima === null ? undefined : await tx.load(task, state.proxima);
  const { reopened, removed } = decideReopen(state, next);
  tx.append(task, id, reopened);
  if (next) tx.append(task, next.task_id, removed);
  return { id };
});

export const DeleteTask = defineCommand('DeleteTask', async (tx, id: string) => {
  tx.append(task, id, decideDelete(await tx.load(task, id)));
  return { id };
});

/** Answers the ids of the deleted tasks, so that they can be restored. */
export const DeleteCompletedTasks = defineCommand(
  'DeleteCompletedTasks',
  async (tx, { list_id }: CompletedTasks) => {
    const ids = await completedTasksIn(tx, list_id === 'sem_lista' ? null : list_id, MOST_COMPLETED);
    for (const state of await loadTasks(tx, ids)) tx.append(task, state.task_id, decideDelete(state));
    return { ids };
  },
);

/** Restores deleted tasks. */
export const RestoreTasks = defineCommand('RestoreTasks', async (tx, { ids }: SeveralTasks) => {
  const [lists, ...states] = await Promise.all([
    tx.load(taskLists, tx.context.tenantId),
    ...[...new Set(ids)].map((id) => tx.load(task, id)),
  ]);
  for (const state of states) {
    const events = decideRestore(state, isList(lists, state?.list_id ?? null));
    tx.append(task, state!.task_id, events);
  }
  return { ids };
});

/** It comes last. */
export const CreateTaskList = defineCommand('CreateTaskList', async (tx, fields: NewTaskList) => {
  const lists = await tx.load(taskLists, tx.context.tenantId);
  const id = randomUUID();
  const ordem = generateKeyBetween(listsInOrder(lists).at(-1)?.ordem ?? null, null);
  tx.append(taskLists, tx.context.tenantId, decideCreateList(lists, id, fields, ordem));
  return { id };
});

export const ChangeTaskList = defineCommand(
  'ChangeTaskList',
  async (tx, id: string, changes: TaskListChanges) => {
    const lists = await tx.load(taskLists, tx.context.tenantId);
    tx.append(taskLists, tx.context.tenantId, decideChangeList(lists, id, changes));
    return { id };
  },
);

export const MoveTaskList = defineCommand('MoveTaskList', async (tx, id: string, place: TaskPlace) => {
  const lists = await tx.load(taskLists, tx.context.tenantId);
  const moved = existingList(lists, id);
  const { ordem } = existingList(lists, besideOf(place));
  const others = listsInOrder(lists).flatMap((list) => (list.list_id === id ? [] : list.ordem));
  const between: Between =
    'depois_de' in place
      ? [ordem, others.find((other) => other > ordem) ?? null]
      : [others.findLast((other) => other < ordem) ?? null, ordem];
  tx.append(taskLists, tx.context.tenantId, decideMoveList(lists, id, orderWithin(between, moved.ordem)));
  return { id };
});

/** Deletes a list and its tasks, or moves its tasks first. */
export const DeleteTaskList = defineCommand(
  'DeleteTaskList',
  async (tx, id: string, deletion: TaskListDeletion) => {
    const [lists, ids] = await Promise.all([
      tx.load(taskLists, tx.context.tenantId),
      tasksIn(tx, id, MOST_IN_LIST + 1),
    ]);
    if (ids.length > MOST_IN_LIST) throw new Problem('tasks.list_too_long');
    const tasks: TasksOfDeletedList =
      deletion.tarefas === 'excluir'
        ? { tarefas: 'excluidas', ids }
        : { tarefas: 'movidas', para: deletion.para, ids };
    if (tasks.tarefas === 'movidas' && tasks.para === id) throw new Problem('tasks.list_not_found');
    tx.append(taskLists, tx.context.tenantId, decideDeleteList(lists, id, tasks));
    for (const state of await loadTasks(tx, ids)) {
      const events =
        tasks.tarefas === 'excluidas' ? decideDelete(state) : decideUpdate(state, { list_id: tasks.para });
      tx.append(task, state.task_id, events);
    }
    return { id };
  },
);

/** Restores a list, with those of its tasks that are still deleted, or still where the deletion moved them. */
export const RestoreTaskList = defineCommand('RestoreTaskList', async (tx, id: string) => {
  const lists = await tx.load(taskLists, tx.context.tenantId);
  const deleted = deletedList(lists, id);
  if (!deleted) return { id };
  const states = await Promise.all(deleted.ids.map((taskId) => tx.load(task, taskId)));
  const back = states.filter(
    (state): state is KnownTask =>
      state !== undefined &&
      (deleted.tarefas === 'excluidas' ? state.deleted : !state.deleted && state.list_id === deleted.para),
  );
  tx.append(taskLists, tx.context.tenantId, [
    { type: 'TaskListRestored', data: { list_id: id, tarefas: back.length } },
  ]);
  for (const state of back) {
    const events = state.deleted ? decideRestore(state, true) : decideUpdate(state, { list_id: id });
    tx.append(task, state.task_id, events);
  }
  return { id };
});

async function needList(tx: CommandTransaction, list_id: string | null): Promise<void> {
  if (list_id !== null) existingList(await tx.load(taskLists, tx.context.tenantId), list_id);
}

async function knownTask(tx: CommandTransaction, id: string): Promise<KnownTask> {
  return existingTask(await tx.load(task, id));
}

async function loadTasks(tx: CommandTransaction, ids: readonly string[]): Promise<KnownTask[]> {
  return (await Promise.all(ids.map((id) => tx.load(task, id)))).map(existingTask);
}

function besideOf(place: TaskPlace): string {
  return 'depois_de' in place ? place.depois_de : place.antes_de;
}

type Between = [before: string | null, after: string | null];

/** A sort key between two others; the task's own one where it is there already or is moved beside itself. */
function orderWithin([before, after]: Between, own: string): string {
  if (own === before || own === after) return own;
  const isThere = (before === null || own > before) && (after === null || own < after);
  return isThere ? own : generateKeyBetween(before, after);
}
