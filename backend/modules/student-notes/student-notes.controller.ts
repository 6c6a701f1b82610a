import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  newStudentNote,
  type NewStudentNote,
  studentNoteChanges,
  type StudentNoteChanges,
  studentNoteList,
  type StudentNoteList,
  studentNotePage,
} from './student-notes.api.js';
import {
  ChangeStudentNote,
  RemoveStudentNote,
  RestoreStudentNote,
  WriteStudentNote,
} from './student-notes.commands.js';
import { ListStudentNotes } from './student-notes.queries.js';

@Controller()
export class StudentNotesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('students/:id/notes')
  @Route({
    summary: 'Lista as anotações do personal sobre um aluno',
    params: idParams,
    query: studentNoteList,
    answer: studentNotePage,
  })
  list(@Ctx() context: CommandContext, @Param('id') id: string, @Query() list: StudentNoteList) {
    return this.queries.execute(new ListStudentNotes(context, id, list));
  }

  @Post('students/:id/notes')
  @Route({
    summary: 'Faz uma anotação sobre um aluno',
    params: idParams,
    body: newStudentNote,
    answer: created,
    status: 201,
  })
  write(@Ctx() context: CommandContext, @Param('id') id: string, @Body() fields: NewStudentNote) {
    return this.commands.execute(new WriteStudentNote(context, id, fields));
  }

  @Patch('student-notes/:id')
  @Route({ summary: 'Altera uma anotação', params: idParams, body: studentNoteChanges, answer: created })
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: StudentNoteChanges) {
    return this.commands.execute(new ChangeStudentNote(context, id, changes));
  }

  @Delete('student-notes/:id')
  @Route({ summary: 'Exclui uma anotação', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemoveStudentNote(context, id));
  }

  @Post('student-notes/:id/restore')
  @Route({ summary: 'Desfaz a exclusão de uma anotação', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreStudentNote(context, id));
  }
}
