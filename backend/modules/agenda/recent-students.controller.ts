import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { recentStudents } from './recent-students.api.js';
import { ListRecentStudents } from './recent-students.queries.js';

@Controller('sessions')
export class RecentStudentsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('recent-students')
  @Route({ summary: 'Lista os alunos atendidos há pouco', answer: recentStudents })
  list(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListRecentStudents(context));
  }
}
