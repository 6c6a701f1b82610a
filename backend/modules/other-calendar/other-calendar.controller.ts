import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { otherCalendarCalls, type OtherCalendarLink } from './other-calendar.api.js';
import { LinkOtherCalendar, RelinkOtherCalendar } from './other-calendar.commands.js';
import { OtherCalendarJob } from './other-calendar.job.js';

@Controller()
export class OtherCalendarController {
  constructor(
    private readonly commands: CommandBus,
    private readonly job: OtherCalendarJob,
  ) {}

  @Serves(otherCalendarCalls.link)
  async link(@Ctx() context: CommandContext, @Body() link: OtherCalendarLink) {
    const done = await this.commands.execute(new LinkOtherCalendar(context, link));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  @Serves(otherCalendarCalls.relink)
  async relink(@Ctx() context: CommandContext) {
    const done = await this.commands.execute(new RelinkOtherCalendar(context));
    this.job.wake(context.tenantId, done.position);
    return done;
  }

  /** Reads the calendar again; records no event. */
  @Serves(otherCalendarCalls.read)
  read(@Ctx() { tenantId }: CommandContext) {
    this.job.wake(tenantId, 0);
    return { answer: { id: tenantId }, position: 0 };
  }
}
