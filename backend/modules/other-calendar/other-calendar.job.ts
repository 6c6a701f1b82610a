import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { addDays, addHours } from 'date-fns';
import { z } from 'zod';
import { Clock } from '../../platform/clock.js';
import { Database, type Query } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { ReadYourWrites } from '../../platform/http/read-your-writes.js';
import { defineJob, PutOff } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { describeError } from '../../platform/ops/logger.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { CalendarReader } from './calendar-reader.service.js';
import { CalendarSource, SourceFailure } from './calendar-source.service.js';
import { ReportOtherCalendar } from './other-calendar.commands.js';

export const readDueCalendars = defineJob({ name: 'other-calendars-due', schedule: { everyMs: 60_000 } });

/** Reads the calendar that a tenant has connected at this position of the log. */
export const readOtherCalendar = defineJob({
  name: 'other-calendar',
  queue: 'outgoing',
  payload: z.strictObject({ tenantId: z.uuid(), position: z.int().optional() }),
  sweptBy: readDueCalendars,
});

const DUE = 'select tenant_id as "tenantId" from other_calendars_due($1)';
const IN_SIGHT = "select set_config('app.tenant', $1, true)";
/** Claims a calendar for five minutes; after that, another worker may claim it if this one was killed. */
const CLAIM = `insert into other_calendar_reads as r (tenant_id, calendar_id, proxima_em)
  values ($1, $2, $3::timestamptz + interval '5 minutes')
  on conflict (tenant_id) do update set calendar_id = excluded.calendar_id, proxima_em = excluded.proxima_em
  where r.calendar_id <> excluded.calendar_id or r.proxima_em <= $3::timestamptz or $4::boolean
  returning tenant_id`;
const CLEAR = 'delete from other_calendar_busy where tenant_id = $1';
const KEEP = `insert into other_calendar_busy (tenant_id, inicio, fim)
  select $1, to_timestamp(b.inicio / 1000.0), to_timestamp(b.fim / 1000.0)
  from unnest($2::float8[], $3::float8[]) as b(inicio, fim)`;
/** Only if the calendar is still connected, and no later read has already ended. */
const READ = `update other_calendar_reads set lido_em = $3, falha_desde = null, falha = null, ignorados = $4,
    proxima_em = $3::timestamptz + interval '30 minutes'
  where tenant_id = $1 and calendar_id = $2 and proxima_em <= $3::timestamptz + interval '30 minutes'
  returning tenant_id`;
/** The longer a calendar has failed, the less often it is read. */
const FAILED = `update other_calendar_reads set falha = $4, falha_desde = coalesce(falha_desde, $3),
    proxima_em = $3::timestamptz + greatest(interval '30 minutes',
      least(interval '2 hours', $3::timestamptz - coalesce(falha_desde, $3::timestamptz)))
  where tenant_id = $1 and calendar_id = $2 and proxima_em <= $3::timestamptz + interval '30 minutes'
  returning falha_desde`;

/** Concurrent reads, each of which may take half a minute. */
const AT_ONCE = 4;
/** After which the trainer is told that a calendar cannot be read; the intervals above meet it. */
const TOLD_AFTER_HOURS = 6;
const DAYS_BACK = 1;
const DAYS_AHEAD = 365;

const connected = statement((db) =>
  db
    .selectFrom('other_calendar as c')
    .innerJoin('tenants as t', 't.tenant_id', 'c.tenant_id')
    .select(['c.tenant_id', 'c.calendar_id', 'c.link_ics', 'c.parado_desde', 't.timezone'])
    .compile(),
);

/** Stores trainers' busy times from their other calendars. */
@Injectable()
export class OtherCalendarJob implements OnModuleInit {
  /** Tenants whose turn it is. */
  private readonly reading = new Set<string>();
  private readonly logger = new Logger(OtherCalendarJob.name);

  constructor(
    private readonly database: Database,
    private readonly source: CalendarSource,
    private readonly reader: CalendarReader,
    private readonly hints: HintBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.queues.handle(readOtherCalendar, async ({ tenantId, position = 0 }) => {
      if (!(await this.readYourWrites.wait(tenantId, position)))
        throw new Error(`position ${position} is not projected yet`);
      if (this.reading.has(tenantId)) throw new PutOff('the calendar of the tenant is being read');
      this.reading.add(tenantId);
      await this.read(tenantId, true).finally(() => this.reading.delete(tenantId));
    });
    this.queues.handle(readDueCalendars, () => this.readDue());
  }

  /** Reads the calendar at once; if the job is lost, the next sweep reads it. */
  wake(tenantId: string, position: number): void {
    this.queues.add(readOtherCalendar, { tenantId, position }).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of a calendar lost', tenantId, err: describeError(error) });
    });
  }

  /** Reads due calendars, a few at a time; each read is limited in time, and none is urgent. */
  async readDue(): Promise<void> {
    const found = await this.database.lookUp<{ tenantId: string }>(DUE, [this.clock.now()]);
    const due = found.values();
    const inTurn = async () => {
      for (const { tenantId } of due) await this.read(tenantId, false);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  }

  /** `now`: even if it is not due. A failure is stored, and earlier busy times stay until the next successful read. */
  async read(tenantId: string, now: boolean): Promise<void> {
    const [calendar] = await this.database.read(tenantId, connected({}));
    if (!calendar?.link_ics) return;
    const { calendar_id, link_ics, parado_desde, timezone: zone } = calendar;
    const at = this.clock.now();
    const claimed = await this.inTenant(tenantId, (query) => query(CLAIM, [tenantId, calendar_id, at, now]));
    if (claimed.length === 0) return;
    try {
      const [from, to] = [addDays(at, -DAYS_BACK).getTime(), addDays(at, DAYS_AHEAD).getTime()];
      const { busy, ignored } = await this.source.fetch(link_ics, (parts) =>
        this.reader.read({ from, to, zone }, parts),
      );
      await this.inTenant(tenantId, async (query) => {
        const current = await query(READ, [tenantId, calendar_id, at, ignored]);
        if (current.length === 0) return;
        await query(CLEAR, [tenantId]);
        await query(KEEP, [tenantId, busy.map(([start]) => start), busy.map(([, end]) => end)]);
      });
      if (parado_desde) await this.report(calendar, null);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const falha = error.status === undefined ? error.kind : `${error.kind} ${error.status}`;
      const [failed] = await this.inTenant(tenantId, (query) =>
        query<{ falha_desde: Date }>(FAILED, [tenantId, calendar_id, at, falha]),
      );
      if (failed && !parado_desde && failed.falha_desde <= addHours(at, -TOLD_AFTER_HOURS))
        await this.report(calendar, failed.falha_desde);
    }
    // Send hints directly, because busy times are in no event, and so have no position.
    const topics = new Set(['calendar', 'availability']);
    const allStudents = new Set(['availability']);
    this.hints.projected([{ tenantId, position: 0, topics, students: new Map(), allStudents }]);
  }

  /** Decided again under the tenant's lock, so it is recorded once. */
  private async report(
    { tenant_id, timezone, calendar_id }: { tenant_id: string; timezone: string; calendar_id: string },
    since: Date | null,
  ): Promise<void> {
    const context = nobodyOf(tenant_id, timezone);
    await this.commands.execute(new ReportOtherCalendar(context, calendar_id, since));
  }

  private inTenant<Result>(tenantId: string, work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.database.transact(async (query) => {
      await query(IN_SIGHT, [tenantId]);
      return work(query);
    });
  }
}
