import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { taskLists, type KnownList, type TaskListEvent } from './task-lists.js';
import { taskPlaces } from './task-places.guard.js';
import { task, type KnownTask } from './task.js';
import { taskListsApi, tasksApi, taskErrors } from './tasks.api.js';
import {
  CreateTaskList,
  ChangeTaskList,
  MoveTaskList,
  DeleteTaskList,
  RestoreTaskList,
  CreateTask,
  DeleteCompletedTasks,
  RestoreTasks,
  UpdateTask,
  DeleteTask,
  CompleteTask,
  ReopenTask,
  MoveTask,
} from './tasks.commands.js';
import { taskHistory, taskListHistory } from './tasks.history.js';
import { ListTaskLists, ListTasks, GetTask } from './tasks.queries.js';
import { rowProjection, stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';

type TaskRow = Omit<KnownTask, 'antes'> & { busca: string; criada_em: string };

/** Folded state of each task; deleted tasks keep their row, so that they can be restored. */
const tasks = stateProjection(task, {
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
const listRows = rowProjection<ListRow, TaskListEvent>({
  name: 'task-lists',
  topic: 'task-lists',
  table: 'task_lists',
  events: ['TaskListCreated', 'TaskListChanged', 'TaskListMoved', 'TaskListDeleted', 'TaskListRestored'],
  keys: ({ data }) => [data.list_id],
  evolve(row, event, id) {
    const before = row ? { [id]: { ...row, list_id: id, deleted: null } } : taskLists.initialState;
    const after = taskLists.evolve(before, event)[id];
    if (!after) return null;
    const deleted =
      event.type === 'TaskListRestored' ? false : after.deleted !== null || (row?.deleted ?? false);
    return { ...after, deleted };
  },
});

/**
 * Tasks (`tasks`) are one stream each; all lists share one order (`task-places.guard.ts`), as sort keys between which another
 * one always fits. A repeated task creates the next one when it is completed.
 */
@Module(
  together(
    serve(taskListsApi, {
      list: ListTaskLists,
      create: CreateTaskList,
      change: ChangeTaskList,
      move: MoveTaskList,
      remove: DeleteTaskList,
      restore: RestoreTaskList,
    }),
    serve(tasksApi, {
      list: ListTasks,
      create: CreateTask,
      deleteCompleted: DeleteCompletedTasks,
      restore: RestoreTasks,
      get: GetTask,
      update: UpdateTask,
      remove: DeleteTask,
      complete: CompleteTask,
      reopen: ReopenTask,
      move: MoveTask,
    }),
  ),
)
export class TasksModule {
  static readonly feature: Feature = {
    aggregates: [task, taskLists],
    guards: [taskPlaces],
    projections: [tasks, listRows],
    history: { ...taskHistory, ...taskListHistory },
    ownData: {
      trainer: {
        'listas-de-tarefas': `select id, nome, cor, deleted as excluida from task_lists order by ordem, id`,
      },
      sheets: {
        tarefas: `select t.id, t.titulo, t.descricao, t.data_vencimento, t.hora, t.list_id, l.nome as lista, t.rrule,
            t.concluida_em is not null as concluida, t.concluida_em, t.deleted as excluida, t.criada_em
          from tasks t left join task_lists l on l.tenant_id = t.tenant_id and l.id = t.list_id order by t.ordem, t.id`,
      },
    },
    errors: taskErrors,
  };
}
