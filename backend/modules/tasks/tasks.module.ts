import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { TaskListsController } from './task-lists.controller.js';
import { taskLists } from './task-lists.js';
import { taskPlaces } from './task-places.guard.js';
import { task } from './task.js';
import { taskErrors } from './tasks.api.js';
import {
  ChangeTaskList,
  CompleteTask,
  CreateTask,
  CreateTaskList,
  DeleteCompletedTasks,
  DeleteTask,
  DeleteTaskList,
  MoveTask,
  MoveTaskList,
  ReopenTask,
  RestoreTaskList,
  RestoreTasks,
  UpdateTask,
} from './tasks.commands.js';
import { TasksController } from './tasks.controller.js';
import { taskHistory, taskListHistory } from './tasks.history.js';
import { taskLists as listRows, tasks } from './tasks.projection.js';
import { GetTask, ListTaskLists, ListTasks } from './tasks.queries.js';

@Module({
  controllers: [TasksController, TaskListsController],
  providers: [
    CreateTask.Handler,
    UpdateTask.Handler,
    MoveTask.Handler,
    CompleteTask.Handler,
    ReopenTask.Handler,
    DeleteTask.Handler,
    DeleteCompletedTasks.Handler,
    RestoreTasks.Handler,
    CreateTaskList.Handler,
    ChangeTaskList.Handler,
    MoveTaskList.Handler,
    DeleteTaskList.Handler,
    RestoreTaskList.Handler,
    ListTasks.Handler,
    GetTask.Handler,
    ListTaskLists.Handler,
  ],
})
export class TasksModule {
  static readonly feature: Feature = {
    aggregates: [task, taskLists],
    guards: [taskPlaces],
    projections: [tasks, listRows],
    history: { ...taskHistory, ...taskListHistory },
    errors: taskErrors,
  };
}
