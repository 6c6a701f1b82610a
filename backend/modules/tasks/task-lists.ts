import type { Colour } from '../../platform/colours.api.js';
import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { MOST_LISTS, type NewTaskList, type TaskListChanges } from './tasks.api.js';

interface ListFields {
  /** Null once the trainer is forgotten. */
  nome: string | null;
  cor: Colour;
}

/** What happened to the tasks of a deleted list; `para`: the list to which they were moved, or null for none. */
export type TasksOfDeletedList =
  | { tarefas: 'excluidas'; ids: string[] }
  | { tarefas: 'movidas'; para: string | null; ids: string[] };

export type TaskListEvent =
  | { type: 'TaskListCreated'; data: { list_id: string; ordem: string } & ListFields }
  /** Only the fields that changed. */
  | { type: 'TaskListChanged'; data: { list_id: string } & Partial<ListFields> }
  | { type: 'TaskListMoved'; data: { list_id: string; ordem: string } }
  | { type: 'TaskListDeleted'; data: { list_id: string } & TasksOfDeletedList }
  /** `tarefas`: number of its tasks that were restored with it. */
  | { type: 'TaskListRestored'; data: { list_id: string; tarefas: number } };

export interface KnownList extends ListFields {
  list_id: string;
  /** Sort key among the lists, as that of tasks. */
  ordem: string;
  deleted: TasksOfDeletedList | null;
}

/** All lists of a trainer by id, deleted ones included. */
export type TaskListsState = Readonly<Record<string, KnownList>>;

const personal = {
  person: (_data: Partial<ListFields>, tenantId: string) => tenantId,
  fields: ['nome'] as const,
};

/** The lists of one trainer, in one stream: they are few, and their order concerns all of them. */
export const taskLists: Aggregate<TaskListsState, TaskListEvent> = {
  name: 'tasklists',
  initialState: {},
  evolve(state, { type, data }) {
    if (type === 'TaskListCreated') return { ...state, [data.list_id]: { ...data, deleted: null } };
    const list = state[data.list_id];
    if (!list) return state;
    const having = (changes: Partial<KnownList>) => ({ ...state, [data.list_id]: { ...list, ...changes } });
    switch (type) {
      case 'TaskListChanged':
      case 'TaskListMoved':
        return having(data);
      case 'TaskListDeleted': {
        const { list_id: _, ...deleted } = data;
        return having({ deleted });
      }
      case 'TaskListRestored':
        return having({ deleted: null });
    }
  },
  events: {
    TaskListCreated: { schemaVersion: 1, personal },
    TaskListChanged: { schemaVersion: 1, personal },
    TaskListMoved: { schemaVersion: 1 },
    TaskListDeleted: { schemaVersion: 1 },
    TaskListRestored: { schemaVersion: 1 },
  },
};

/** The list. @throws Problem 404 where it does not exist or was deleted */
export function existingList(state: TaskListsState, list_id: string): KnownList {
  const list = state[list_id];
  if (!list || list.deleted) throw new Problem('tasks.list_not_found');
  return list;
}

/** Whether the list exists; null means no list and always passes. */
export function isList(state: TaskListsState, list_id: string | null): boolean {
  return list_id === null || state[list_id]?.deleted === null;
}

/** The lists that are not deleted, in their order. */
export function listsInOrder(state: TaskListsState): KnownList[] {
  const byPlace = (one: KnownList, other: KnownList) =>
    one.ordem === other.ordem ? (one.list_id < other.list_id ? -1 : 1) : one.ordem < other.ordem ? -1 : 1;
  return Object.values(state)
    .filter(({ deleted }) => deleted === null)
    .sort(byPlace);
}

export function decideCreateList(
  state: TaskListsState,
  list_id: string,
  { nome, cor }: NewTaskList,
  ordem: string,
): TaskListEvent[] {
  if (listsInOrder(state).length >= MOST_LISTS) throw new Problem('tasks.too_many_lists');
  return [{ type: 'TaskListCreated', data: { list_id, nome, cor, ordem } }];
}

export function decideChangeList(
  state: TaskListsState,
  list_id: string,
  { se_ainda, ...wanted }: TaskListChanges,
): TaskListEvent[] {
  const list = existingList(state, list_id);
  refuseChanged('A lista', list, se_ainda);
  const changes = changedFields<ListFields>(list, wanted);
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'TaskListChanged', data: { list_id, ...changes } }];
}

export function decideMoveList(state: TaskListsState, list_id: string, ordem: string): TaskListEvent[] {
  if (existingList(state, list_id).ordem === ordem) return [];
  return [{ type: 'TaskListMoved', data: { list_id, ordem } }];
}

export function decideDeleteList(
  state: TaskListsState,
  list_id: string,
  tasks: TasksOfDeletedList,
): TaskListEvent[] {
  existingList(state, list_id);
  if (tasks.tarefas === 'movidas' && tasks.para !== null) existingList(state, tasks.para);
  return [{ type: 'TaskListDeleted', data: { list_id, ...tasks } }];
}

/** What happened to the tasks of a deleted list; null where the list is not deleted. @throws Problem 404 where it never existed */
export function deletedList(state: TaskListsState, list_id: string): TasksOfDeletedList | null {
  const list = state[list_id];
  if (!list) throw new Problem('tasks.list_not_found');
  if (list.deleted && listsInOrder(state).length >= MOST_LISTS) throw new Problem('tasks.too_many_lists');
  return list.deleted;
}
