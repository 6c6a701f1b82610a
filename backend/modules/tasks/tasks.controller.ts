import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  completedTask,
  completedTasks,
  type CompletedTasks,
  newTask,
  type NewTask,
  severalTasks,
  type SeveralTasks,
  task,
  taskChanges,
  type TaskChanges,
  taskIds,
  taskPage,
  taskPlace,
  type TaskPlace,
  tasksQuery,
  type TasksQuery,
} from './tasks.api.js';
import {
  CompleteTask,
  CreateTask,
  DeleteCompletedTasks,
  DeleteTask,
  MoveTask,
  ReopenTask,
  RestoreTasks,
  UpdateTask,
} from './tasks.commands.js';
import { GetTask, ListTasks } from './tasks.queries.js';

@Controller('tasks')
export class TasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista tarefas', query: tasksQuery, answer: taskPage })
  list(@Ctx() context: CommandContext, @Query() list: TasksQuery) {
    return this.queries.execute(new ListTasks(context, list));
  }

  @Post()
  @Route({ summary: 'Cria uma tarefa', body: newTask, answer: created, status: 201 })
  create(@Ctx() context: CommandContext, @Body() fields: NewTask) {
    return this.commands.execute(new CreateTask(context, fields));
  }

  @Post('delete-completed')
  @Route({
    summary: 'Exclui as tarefas concluídas de uma lista, ou de todas',
    body: completedTasks,
    answer: taskIds,
  })
  deleteCompleted(@Ctx() context: CommandContext, @Body() which: CompletedTasks) {
    return this.commands.execute(new DeleteCompletedTasks(context, which));
  }

  @Post('restore')
  @Route({ summary: 'Desfaz a exclusão de tarefas', body: severalTasks, answer: taskIds })
  restore(@Ctx() context: CommandContext, @Body() which: SeveralTasks) {
    return this.commands.execute(new RestoreTasks(context, which));
  }

  @Get(':id')
  @Route({ summary: 'Mostra uma tarefa', params: idParams, answer: task })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetTask(context, id));
  }

  @Patch(':id')
  @Route({ summary: 'Altera uma tarefa', params: idParams, body: taskChanges, answer: created })
  update(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: TaskChanges) {
    return this.commands.execute(new UpdateTask(context, id, changes));
  }

  @Delete(':id')
  @Route({ summary: 'Exclui uma tarefa', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new DeleteTask(context, id));
  }

  @Post(':id/complete')
  @Route({
    summary: 'Conclui uma tarefa; a que se repete cria a próxima',
    params: idParams,
    answer: completedTask,
  })
  complete(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new CompleteTask(context, id));
  }

  @Post(':id/reopen')
  @Route({ summary: 'Reabre uma tarefa concluída', params: idParams, answer: created })
  reopen(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReopenTask(context, id));
  }

  @Post(':id/move')
  @Route({
    summary: 'Põe uma tarefa atrás ou antes de outra',
    params: idParams,
    body: taskPlace,
    answer: created,
  })
  move(@Ctx() context: CommandContext, @Param('id') id: string, @Body() place: TaskPlace) {
    return this.commands.execute(new MoveTask(context, id, place));
  }
}
