import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import { BookOwnSession, MoveOwnSession, SetStudentBooking } from './booking.commands.js';
import {
  bookingChange,
  type BookingChange,
  bookingSettings,
  newOwnSession,
  type NewOwnSession,
  ownMove,
  type OwnMove,
  ownTimes,
  ownTimesQuery,
  type OwnTimesQuery,
} from './student-booking.api.js';
import { ShowOwnTimes, ShowStudentBooking } from './student-booking.queries.js';

/** The trainer's settings of students' bookings. */
@Controller('settings/student-booking')
export class StudentBookingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra como os alunos agendam', answer: bookingSettings })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowStudentBooking(context));
  }

  @Put()
  @Route({ summary: 'Define como os alunos agendam', body: bookingChange, answer: created })
  change(@Ctx() context: CommandContext, @Body() wanted: BookingChange) {
    return this.commands.execute(new SetStudentBooking(context, wanted));
  }
}

/** Free times and bookings, for students. */
@Controller('student')
export class OwnBookingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('free-times')
  @Route({
    summary: 'Mostra os horários livres para o próprio aluno',
    roles: ['aluno'],
    byLink: true,
    query: ownTimesQuery,
    answer: ownTimes,
  })
  times(@Ctx() context: CommandContext, @Query() { sessao }: OwnTimesQuery) {
    return this.queries.execute(new ShowOwnTimes(context, sessao ?? null));
  }

  @Post('sessions')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Agenda uma aula para o próprio aluno',
    roles: ['aluno'],
    body: newOwnSession,
    answer: created,
    status: 201,
  })
  book(@Ctx() context: CommandContext, @Body() wanted: NewOwnSession) {
    return this.commands.execute(new BookOwnSession(context, wanted));
  }

  @Post('sessions/:id/move')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Remarca uma aula do próprio aluno, dentro do prazo',
    roles: ['aluno'],
    params: idParams,
    body: ownMove,
    answer: created,
  })
  move(@Ctx() context: CommandContext, @Param('id') id: string, @Body() to: OwnMove) {
    return this.commands.execute(new MoveOwnSession(context, id, to));
  }
}
