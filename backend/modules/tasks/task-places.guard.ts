import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import type { TaskEvent } from './task.js';

const PUT = `insert into task_places (tenant_id, task_id, list_id, ordem, concluida) values ($1, $2, $3, $4, $5)`;
const REMOVE = 'delete from task_places where tenant_id = $1 and task_id = $2';
const ORDER = 'update task_places set ordem = $3 where tenant_id = $1 and task_id = $2';
const LIST = 'update task_places set list_id = $3 where tenant_id = $1 and task_id = $2';
const COMPLETE = 'update task_places set concluida = $3 where tenant_id = $1 and task_id = $2';

/** Sort key, list and state of each task that is not deleted, to find a task's neighbours and the tasks of a list. */
export const taskPlaces = defineGuard<TaskEvent>({
  name: 'task-places',
  tables: ['task_places'],
  writes: {
    TaskCreated: ({ task_id, list_id, ordem }) => [[PUT, task_id, list_id, ordem, false]],
    TaskUpdated: ({ task_id, list_id }) => (list_id === undefined ? [] : [[LIST, task_id, list_id]]),
    TaskMoved: ({ task_id, ordem }) => [[ORDER, task_id, ordem]],
    TaskCompleted: ({ task_id }) => [[COMPLETE, task_id, true]],
    TaskReopened: ({ task_id }) => [[COMPLETE, task_id, false]],
    TaskDeleted: ({ task_id }) => [[REMOVE, task_id]],
    TaskRestored: ({ task_id, list_id, ordem, concluida }) => [[PUT, task_id, list_id, ordem, concluida]],
  },
});

interface Place extends Record<string, unknown> {
  ordem: string;
}
const last = defineLookUp<Place, []>(
  'select ordem from task_places where tenant_id = $1 order by ordem desc limit 1',
);
const after = defineLookUp<Place, [ordem: string, except: string]>(
  'select ordem from task_places where tenant_id = $1 and ordem > $2 and task_id <> $3::uuid order by ordem limit 1',
);
const before = defineLookUp<Place, [ordem: string, except: string]>(
  'select ordem from task_places where tenant_id = $1 and ordem < $2 and task_id <> $3::uuid order by ordem desc limit 1',
);
const inList = defineLookUp<{ task_id: string }, [listId: string, limit: number]>(
  'select task_id from task_places where tenant_id = $1 and list_id = $2::uuid order by ordem, task_id limit $3',
);
/** `$2`: tasks of any list; otherwise those of list `$3`, or those without a list where it is null. */
const completedIn = defineLookUp<{ task_id: string }, [ofAny: boolean, listId: string | null, limit: number]>(
  `select task_id from task_places where tenant_id = $1 and concluida
    and ($2::boolean or list_id is not distinct from $3::uuid) order by ordem, task_id limit $4`,
);

type Order = string | null;

const orderOf = ([place]: Place[]): Order => place?.ordem ?? null;

/** The highest sort key of all tasks; null where there are none. */
export async function lastPlace(tx: CommandTransaction): Promise<Order> {
  return orderOf(await tx.lookUp(last));
}

/** The next higher sort key, the task `except` left out. */
export async function placeAfter(tx: CommandTransaction, ordem: string, except: string): Promise<Order> {
  return orderOf(await tx.lookUp(after, ordem, except));
}

export async function placeBefore(tx: CommandTransaction, ordem: string, except: string): Promise<Order> {
  return orderOf(await tx.lookUp(before, ordem, except));
}

export async function tasksIn(tx: CommandTransaction, listId: string, limit: number): Promise<string[]> {
  return (await tx.lookUp(inList, listId, limit)).map(({ task_id }) => task_id);
}

/** Completed tasks of a list, those without a list (null), or all (undefined). */
export async function completedTasksIn(
  tx: CommandTransaction,
  listId: string | null | undefined,
  limit: number,
): Promise<string[]> {
  const found = await tx.lookUp(completedIn, listId === undefined, listId ?? null, limit);
  return found.map(({ task_id }) => task_id);
}
