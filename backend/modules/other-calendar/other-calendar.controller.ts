import { Body, Controller, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { otherCalendarLink, type OtherCalendarLink } from './other-calendar.api.js';
import { LinkOtherCalendar, RelinkOtherCalendar } from './other-calendar.commands.js';
import { OtherCalendarJob } from './other-calendar.job.js';

/** Limits requests to other servers. */
const READINGS = { name: 'other-calendar-readings', points: 20, seconds: 600 };

@Controller('other-calendar')
export class OtherCalendarController {
  constructor(
    private readonly commands: CommandBus,
    private readonly job: OtherCalendarJob,
  ) {}

  @Put()
  @RateLimit(READINGS)
  @Route({ summary: 'Conecta outro calendário', body: otherCalendarLink, answer: created })
  async link(@Ctx() context: CommandContext, @Body() link: OtherCalendarLink) {
    const done = await this.commands.execute(new LinkOtherCalendar(context, link));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  @Post('restore')
  @RateLimit(READINGS)
  @Route({ summary: 'Conecta de novo o calendário que foi desconectado', answer: created })
  async relink(@Ctx() context: CommandContext) {
    const done = await this.commands.execute(new RelinkOtherCalendar(context));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  /** Reads the calendar again; records no event. */
  @Post('read')
  @RateLimit(READINGS)
  @Route({ summary: 'Lê o outro calendário agora', answer: created })
  read(@Ctx() { tenantId }: CommandContext) {
    this.job.wake(tenantId, 0);
    return { answer: { id: tenantId }, position: 0 };
  }
}
