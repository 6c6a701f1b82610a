import { rowProjection, stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { type KnownList, type TaskListEvent, taskLists as lists } from './task-lists.js';
import { type KnownTask, task } from './task.js';

type TaskRow = Omit<KnownTask, 'antes'> & { busca: string; criada_em: string };

/** Folded state of each task; deleted tasks keep their row, so that they can be restored. */
export const tasks = stateProjection(task, {
  name: 'tasks',
  version: 2,
  topic: 'tasks',
  table: 'tasks',
  evolve(row: TaskRow | undefined, event) {
    const after = task.evolve(row, event);
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
