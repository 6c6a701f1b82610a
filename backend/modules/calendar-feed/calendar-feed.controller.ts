import { createHash, randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idParams } from '../../platform/http/common.api.js';
import { TenantQueue } from '../../platform/database/tenant-queue.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import {
  calendarFeed,
  feedChanged,
  feedParams,
  feedSettings,
  type FeedSettings,
  formerFeed,
  type FormerFeed,
  studentCalendar,
} from './calendar-feed.api.js';
import {
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
  SetCalendarFeed,
} from './calendar-feed.commands.js';
import {
  FindCalendar,
  type FoundCalendar,
  ReadCalendar,
  ReadSessionEntry,
  ShowCalendarFeed,
  ShowStudentCalendar,
} from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';
import { type CalendarEntry, calendarFile } from './calendar-file.ics.js';
import {
  OpenStudentCalendar,
  RenewStudentCalendar,
  RestoreStudentCalendar,
  RevokeStudentCalendar,
} from './student-calendar.commands.js';

const MEDIA = 'text/calendar';
/** A high limit, because services that follow many users' calendars have few addresses. */
const BY_ADDRESS = { name: 'calendar-by-address', points: 600, seconds: 600 };
const BY_FEED = { name: 'calendar-by-feed', points: 60, seconds: 600 };

@Controller('calendar-feed')
export class CalendarFeedController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: LinkTokens,
  ) {}

  @Get()
  @Route({ summary: 'Mostra o link do calendário', answer: calendarFeed })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowCalendarFeed(context));
  }

  @Put()
  @Route({
    summary: 'Ativa o link do calendário ou muda o que ele mostra',
    body: feedSettings,
    answer: feedChanged,
  })
  set(@Ctx() context: CommandContext, @Body() settings: FeedSettings) {
    return this.commands.execute(new SetCalendarFeed(context, this.newAddress(), settings));
  }

  @Post('renew')
  @Route({ summary: 'Gera outro link do calendário; o anterior deixa de valer', answer: feedChanged })
  renew(@Ctx() context: CommandContext) {
    return this.commands.execute(new RenewCalendarFeed(context, this.newAddress()));
  }

  @Post('restore')
  @Route({ summary: 'Volta a um link anterior do calendário', body: formerFeed, answer: feedChanged })
  restore(@Ctx() context: CommandContext, @Body() former: FormerFeed) {
    return this.commands.execute(new RestoreCalendarFeed(context, former));
  }

  @Delete()
  @Route({ summary: 'Desativa o link do calendário', answer: feedChanged })
  revoke(@Ctx() context: CommandContext) {
    return this.commands.execute(new RevokeCalendarFeed(context));
  }

  private newAddress() {
    const feed_id = randomUUID();
    return { feed_id, token_hash: this.tokens.storedHashOf('calendar-feed', feed_id) };
  }
}

/** Settings of a student's own calendar feed. */
@Controller('student/calendar-feed')
export class StudentCalendarController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tokens: LinkTokens,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra o link do calendário do próprio aluno',
    roles: ['aluno'],
    answer: studentCalendar,
  })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowStudentCalendar(context));
  }

  @Put()
  @RateLimit(STUDENT_WRITES)
  @Route({ summary: 'Ativa o link do calendário do próprio aluno', roles: ['aluno'], answer: feedChanged })
  open(@Ctx() context: CommandContext) {
    return this.commands.execute(new OpenStudentCalendar(context, this.newAddress()));
  }

  @Post('renew')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Gera outro link do calendário do próprio aluno; o anterior deixa de valer',
    roles: ['aluno'],
    answer: feedChanged,
  })
  renew(@Ctx() context: CommandContext) {
    return this.commands.execute(new RenewStudentCalendar(context, this.newAddress()));
  }

  @Post('restore')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Volta a um link anterior do calendário do próprio aluno',
    roles: ['aluno'],
    body: formerFeed,
    answer: feedChanged,
  })
  restore(@Ctx() context: CommandContext, @Body() former: FormerFeed) {
    return this.commands.execute(new RestoreStudentCalendar(context, former));
  }

  @Delete()
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Desativa o link do calendário do próprio aluno',
    roles: ['aluno'],
    answer: feedChanged,
  })
  revoke(@Ctx() context: CommandContext) {
    return this.commands.execute(new RevokeStudentCalendar(context));
  }

  private newAddress() {
    const feed_id = randomUUID();
    return { feed_id, token_hash: this.tokens.storedHashOf('student-calendar', feed_id) };
  }
}

/** One session, or one series, as a calendar file. */
@Controller()
export class SessionFileController {
  constructor(private readonly queries: QueryBus) {}

  @Get('sessions/:id/calendar')
  @Route({ summary: 'Baixa uma sessão como arquivo de calendário', params: idParams, media: MEDIA })
  session(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.file(context, id, reply);
  }

  @Get('series/:id/calendar')
  @Route({
    summary: 'Baixa um horário fixo como arquivo de calendário, com a regra dele (RRULE)',
    params: idParams,
    media: MEDIA,
  })
  async series(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sent(reply, 'horario-fixo.ics', await this.queries.execute(new ReadSeriesEntries(context, id)));
  }

  @Get('student/sessions/:id/calendar')
  @Route({
    summary: 'Baixa uma sessão do próprio aluno como arquivo de calendário',
    roles: ['aluno'],
    params: idParams,
    media: MEDIA,
  })
  own(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.file(context, id, reply);
  }

  private async file(context: CommandContext, id: string, reply: FastifyReply): Promise<string> {
    return sent(reply, 'sessao.ics', [await this.queries.execute(new ReadSessionEntry(context, id))]);
  }
}

function sent(reply: FastifyReply, name: string, entries: readonly CalendarEntry[]): Promise<string> {
  void reply.type(`${MEDIA}; charset=utf-8`);
  void reply.header('Content-Disposition', `attachment; filename="${name}"`);
  return calendarFile({ name: 'Rende', entries });
}

/** The calendar at its secret address, for calendar programs. */
@Controller('calendario')
export class PublicCalendarController {
  /** Writes each calendar once at a time, because a large one takes a second. */
  private readonly writing = new TenantQueue({ atOnce: 1, maxWaiting: 100, maxWaitMs: 10_000 });

  constructor(
    private readonly queries: QueryBus,
    private readonly limits: RateLimits,
  ) {}

  @Get(':file')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Mostra a agenda a programas de calendário',
    tags: ['calendar-feed'],
    public: true,
    params: feedParams,
    media: MEDIA,
  })
  async read(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const token = /^([\w-]{32})\.ics$/.exec(file)?.[1];
    if (token === undefined) throw new Problem('not_found');
    const found = await this.queries.execute(new FindCalendar(token));
    // Counted by calendar, so that a new address does not get new points.
    const whose = `${found.tenantId} ${found.studentId ?? 'personal'}`;
    await this.limits.consume(BY_FEED, whose, reply);
    return this.writing.run(whose, () => this.write(found, request, reply));
  }

  private async write(
    found: FoundCalendar,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    const { name, entries } = await this.queries.execute(new ReadCalendar(found));
    const digest = createHash('sha256')
      .update(JSON.stringify([VERSION, name, entries]))
      .digest('base64url');
    const etag = `"${digest}"`;
    void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache');
    void reply.header('X-Robots-Tag', 'noindex');
    if (isKnown(request.headers['if-none-match'], etag)) {
      void reply.status(304);
      return undefined;
    }
    void reply.type(`${MEDIA}; charset=utf-8`);
    return calendarFile({ name, entries });
  }
}

/** Version of the format, part of the ETag: raise it with every change, so that clients do not keep the old text. */
const VERSION = 1;

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
