import { searchable } from '../../platform/searchable.api.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { taskLists as lists, type KnownList, type TaskListEvent } from './task-lists.js';
import { type KnownTask, task, TASK_EVENTS, type TaskEvent } from './task.js';

type TaskRow = Omit<KnownTask, 'antes'> & { busca: string; criada_em: string };

/** Folded state of each task; deleted tasks keep their row, so that they can be restored. */
export const tasks = rowProjection<TaskRow>({
  name: 'tasks',
  version: 2,
  topic: 'tasks',
  table: 'tasks',
  events: TASK_EVENTS,
  keys: ({ data }) => [data.task_id as string],
  evolve(row, event) {
    const after = task.evolve(row, event as unknown as TaskEvent);
    if (!after) return null;
    const { antes: _, ...fields } = after;
    return {
      ...fields,
      busca: [after.titulo ?? '', after.descricao ?? ''].map(searchable).join('\n'),
      criada_em: row?.criada_em ?? event.recordedAt.toISOString(),
    };
  },
});

type ListRow = Omit<KnownList, 'deleted'> & { deleted: boolean };

/** Folded state of each list; deleted lists keep their row. */
export const taskLists = rowProjection<ListRow>({
  name: 'task-lists',
  topic: 'task-lists',
  table: 'task_lists',
  events: [
    'TaskListCreated',
    'TaskListChanged',
    'TaskListMoved',
    'TaskListDeleted',
    'TaskListRestored',
  ] satisfies TaskListEvent['type'][],
  keys: ({ data }) => [data.list_id as string],
  evolve(row, event, id) {
    const before = row ? { [id]: { ...row, list_id: id, deleted: null } } : lists.initialState;
    const after = lists.evolve(before, event as unknown as TaskListEvent)[id];
    if (!after) return null;
    const deleted =
      event.type === 'TaskListRestored' ? false : after.deleted !== null || (row?.deleted ?? false);
    return { ...after, deleted };
  },
});
