import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  newTaskList,
  type NewTaskList,
  taskListChanges,
  type TaskListChanges,
  taskListDeletion,
  type TaskListDeletion,
  taskLists,
  taskPlace,
  type TaskPlace,
} from './tasks.api.js';
import {
  ChangeTaskList,
  CreateTaskList,
  DeleteTaskList,
  MoveTaskList,
  RestoreTaskList,
} from './tasks.commands.js';
import { ListTaskLists } from './tasks.queries.js';

@Controller('task-lists')
export class TaskListsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra as listas de tarefas com suas quantidades', answer: taskLists })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListTaskLists(context));
  }

  @Post()
  @Route({ summary: 'Cria uma lista de tarefas', body: newTaskList, answer: created, status: 201 })
  create(@Ctx() context: CommandContext, @Body() fields: NewTaskList) {
    return this.commands.execute(new CreateTaskList(context, fields));
  }

  @Patch(':id')
  @Route({
    summary: 'Muda o nome ou a cor de uma lista',
    params: idParams,
    body: taskListChanges,
    answer: created,
  })
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: TaskListChanges) {
    return this.commands.execute(new ChangeTaskList(context, id, changes));
  }

  @Post(':id/move')
  @Route({
    summary: 'Põe uma lista atrás ou antes de outra',
    params: idParams,
    body: taskPlace,
    answer: created,
  })
  move(@Ctx() context: CommandContext, @Param('id') id: string, @Body() place: TaskPlace) {
    return this.commands.execute(new MoveTaskList(context, id, place));
  }

  @Post(':id/delete')
  @Route({
    summary: 'Exclui uma lista, com suas tarefas ou depois de movê-las',
    params: idParams,
    body: taskListDeletion,
    answer: created,
  })
  remove(@Ctx() context: CommandContext, @Param('id') id: string, @Body() deletion: TaskListDeletion) {
    return this.commands.execute(new DeleteTaskList(context, id, deletion));
  }

  @Post(':id/restore')
  @Route({
    summary: 'Desfaz a exclusão de uma lista e do que foi feito com suas tarefas',
    params: idParams,
    answer: created,
  })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreTaskList(context, id));
  }
}
