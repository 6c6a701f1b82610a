import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import {
  bulkChange,
  type BulkChange,
  bulkChanged,
  knownStudent,
  newStudent,
  type NewStudent,
  studentChanges,
  type StudentChanges,
  studentList,
  type StudentList,
  studentPage,
  tagsChange,
  type TagsChange,
  tagList,
} from './students.api.js';
import {
  ArchiveStudent,
  RegisterStudent,
  RemoveStudent,
  RestoreStudent,
  TagStudent,
  UpdateStudent,
} from './students.commands.js';
import { ChangeStudents } from './students-bulk.commands.js';
import { GetStudent, ListStudents, ListTags } from './students.queries.js';

@Controller('students')
export class StudentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista alunos', query: studentList, answer: studentPage })
  list(@Ctx() context: CommandContext, @Query() list: StudentList) {
    return this.queries.execute(new ListStudents(context, list));
  }

  @Post()
  @Route({ summary: 'Cadastra um aluno', body: newStudent, answer: created, status: 201 })
  register(@Ctx() context: CommandContext, @Body() fields: NewStudent) {
    return this.commands.execute(new RegisterStudent(context, fields));
  }

  @Post('bulk')
  @Route({
    summary: 'Inativa, reativa ou etiqueta vários alunos de uma vez',
    body: bulkChange,
    answer: bulkChanged,
  })
  changeMany(@Ctx() context: CommandContext, @Body() change: BulkChange) {
    return this.commands.execute(new ChangeStudents(context, change));
  }

  @Get('tags')
  @Route({ summary: 'Lista as etiquetas dos alunos ativos', answer: tagList })
  tags(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListTags(context));
  }

  @Get(':id')
  @Route({ summary: 'Mostra um aluno', params: idParams, answer: knownStudent })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetStudent(context, id));
  }

  @Patch(':id')
  @Route({ summary: 'Altera um aluno', params: idParams, body: studentChanges, answer: created })
  async update(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: StudentChanges) {
    return this.commands.execute(
      new UpdateStudent(context, id, changes, await this.queries.execute(new MakeChargeLinks())),
    );
  }

  @Put(':id/tags')
  @Route({ summary: 'Define as etiquetas de um aluno', params: idParams, body: tagsChange, answer: created })
  tag(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: TagsChange) {
    return this.commands.execute(new TagStudent(context, id, wanted));
  }

  @Delete(':id')
  @Route({ summary: 'Exclui um aluno sem vínculos', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemoveStudent(context, id));
  }

  @Post(':id/archive')
  @Route({ summary: 'Inativa um aluno', params: idParams, answer: created })
  archive(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ArchiveStudent(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Reativa um aluno inativo ou excluído', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreStudent(context, id));
  }
}
