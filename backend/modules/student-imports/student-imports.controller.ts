import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  IMPORT_BYTES,
  IMPORT_VALUES,
  imported,
  importLines,
  type ImportLines,
  studentImportList,
  type StudentImportList,
  studentImportPage,
  undoneImport,
} from './student-imports.api.js';
import { ImportStudents, UndoStudentImport } from './student-imports.commands.js';
import { ListStudentImports } from './student-imports.queries.js';

@Controller('student-imports')
export class StudentImportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Lista as importações de alunos',
    tags: ['students'],
    query: studentImportList,
    answer: studentImportPage,
  })
  list(@Ctx() context: CommandContext, @Query() list: StudentImportList) {
    return this.queries.execute(new ListStudentImports(context, list));
  }

  @Post()
  @Route({
    summary: 'Importa linhas de um arquivo de alunos',
    tags: ['students'],
    body: importLines,
    answer: imported,
    status: 201,
    bodyLimit: IMPORT_BYTES,
    maxValues: IMPORT_VALUES,
  })
  import(@Ctx() context: CommandContext, @Body() { import_id, linhas }: ImportLines) {
    return this.commands.execute(new ImportStudents(context, import_id, linhas));
  }

  @Post(':id/undo')
  @Route({
    summary: 'Desfaz uma importação de alunos, um passo por vez',
    tags: ['students'],
    params: idParams,
    answer: undoneImport,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new UndoStudentImport(context, id));
  }
}
