import { createHash } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { TenantQueue } from '../../platform/database/tenant-queue.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Calendars, type FoundCalendar, ReadSessionEntry } from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';
import { type CalendarEntry, calendarFile } from './calendar-file.ics.js';

const MEDIA = 'text/calendar';
/** A high limit, because services that follow many users' calendars have few addresses. */
const BY_ADDRESS = { name: 'calendar-by-address', points: 600, seconds: 600 };
const BY_FEED = { name: 'calendar-by-feed', points: 60, seconds: 600 };

/** `{token}.ics` */
const feedParams = z.strictObject({ file: z.string().check(z.maxLength(100)) });

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
    private readonly calendars: Calendars,
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
    const found = await this.calendars.find(token);
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
    const { name, entries } = await this.calendars.read(found);
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
