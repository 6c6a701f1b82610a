import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { taskLists } from './task-lists.js';
import { taskPlaces } from './task-places.guard.js';
import { task } from './task.js';
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
import { taskLists as listRows, tasks } from './tasks.projection.js';
import { ListTaskLists, ListTasks, GetTask } from './tasks.queries.js';

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
