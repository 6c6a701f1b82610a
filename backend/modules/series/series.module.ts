import { Module, Body, Controller, Param, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { definePrice } from '../audit/price.queries.js';
import { seriesApi, seriesErrors, seriesCalls, type SeriesChanges, WEEKS_AHEAD } from './series.api.js';
import { CancelSeries, DeleteSeries, ChangeSeries } from './series-changes.commands.js';
import { ChangeSeriesDays } from './series-days.commands.js';
import { JoinSeries } from './series-members.commands.js';
import { UndoSeries } from './series-undo.commands.js';
import { StartSeries, FillSeries, FollowZone } from './series.commands.js';
import { seriesHistory } from './series.history.js';
import { PreviewSeries, GetSeries } from './series.queries.js';
import { series, type RuledStretch, type SeriesEvent, type Skipped } from './series.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { datesOf, daysAfter, type Pattern, weekEnd } from './pattern.js';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { dateOf } from '../../platform/local-time.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import type { StudentPauseEvent } from '../away/student-pause.js';
import type { TenantEvent } from '../accounts/tenant.js';

const DUE = 'select tenant_id as "tenantId", series_id as "seriesId", timezone from series_to_fill($1::date)';

interface Due extends Record<string, unknown> {
  tenantId: string;
  seriesId: string;
  timezone: string;
}

/** Books the next sessions of series without an end, each with a separate command; a failed one is retried. */
export const fillSeries = defineSchedule(
  'series',
  3_600_000,
  { database: Database, commands: CommandBus },
  async (now, { database, commands }) => {
    const until = weekEnd(daysAfter(dateOf(now, 'UTC'), WEEKS_AHEAD * 7));
    await eachAlone(
      await database.lookUp<Due>(DUE, [until]),
      ({ tenantId, seriesId }) => ({ tenantId, seriesId }),
      ({ tenantId, seriesId, timezone }) =>
        commands.execute(new FillSeries(nobodyOf(tenantId, timezone), seriesId)),
    );
  },
);

/** Converts series when the trainer changes the time zone. Commands convert them too, but read tables must show the new times. */
const followZone = defineReaction({
  name: 'series-zone',
  events: ['TenantZoneChanged'] satisfies TenantEvent['type'][],
});

@Injectable()
class SeriesZones implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(followZone, async ({ event: { tenantId, data } }) => {
      const rows = await this.database.read(tenantId, existing({}));
      const ids = rows.map(({ id }) => id);
      const context = nobodyOf(tenantId, data.timezone as string);
      if (ids.length > 0) await this.commands.execute(new FollowZone(context, ids));
      return undefined;
    });
  }
}

const existing = statement((db) =>
  db
    .selectFrom('series')
    .select('id')
    .where(sql<boolean>`not removida`)
    .orderBy('id')
    .compile(),
);

/** Books what series left out because of a pause that now ends earlier. */
const followPause = defineReaction({
  name: 'series-pause',
  events: ['StudentPaused', 'StudentResumed'] satisfies StudentPauseEvent['type'][],
});

@Injectable()
class SeriesPauses implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(followPause, async ({ event: { tenantId, data } }) => {
      const rows = await this.database.read(tenantId, endless({ studentId: data.student_id as string }));
      for (const { id, timezone } of rows)
        await this.commands.execute(new FillSeries(nobodyOf(tenantId, timezone), id));
      return undefined;
    });
  }
}

/** The student's series without an end. */
const endless = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('series as s')
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .select(['s.id', 't.timezone'])
    .where('s.student_id', '=', studentId)
    .where('s.ate', 'is', null)
    .where(sql<boolean>`not s.removida`)
    .orderBy('s.id')
    .compile(),
);

interface SeriesRow extends Pattern {
  student_id: string;
  turma_id: string | null;
  /** Without notes. */
  trechos: Omit<RuledStretch, 'observacoes'>[];
  preenchida_ate: string;
  puladas: Skipped[];
  removida: boolean;
}

/** Series with their rules and skipped dates; their sessions are in `sessions`. */
const seriesRows = rowProjection<SeriesRow, SeriesEvent>({
  name: 'series',
  version: 2,
  topic: 'sessions',
  table: 'series',
  events: [
    'SeriesStarted',
    'SeriesExtended',
    'SeriesChanged',
    'SeriesEnded',
    'SeriesDaysChanged',
    'SeriesJoined',
    'SeriesZoneChanged',
    'SeriesUndone',
    'SeriesReassigned',
  ],
  keys: ({ data }) => [data.series_id],
  evolve(row, { type, data }) {
    if (type === 'SeriesStarted') {
      const { student_id, dias, intervalo, inicio, ate, preenchida_ate, puladas } = data;
      const trechos = withoutNotes(data.trechos);
      const about = { student_id, turma_id: null, dias, intervalo, inicio, ate, trechos };
      return { ...about, preenchida_ate, puladas, removida: false };
    }
    if (!row) return null;
    switch (type) {
      case 'SeriesExtended': {
        const { preenchida_ate, sessoes } = data;
        // Some of them may have been left out because of a pause.
        const decided = new Set([...sessoes, ...data.puladas].map((one) => one.data));
        const puladas = [...row.puladas.filter((one) => !decided.has(one.data)), ...data.puladas];
        return { ...row, preenchida_ate, puladas };
      }
      case 'SeriesChanged':
      case 'SeriesEnded':
        return { ...row, ate: data.ate, trechos: withoutNotes(data.trechos) };
      case 'SeriesZoneChanged':
        return { ...row, trechos: withoutNotes(data.trechos) };
      case 'SeriesDaysChanged': {
        const puladas = [...row.puladas, ...data.puladas];
        return onItsDays({ ...row, ate: data.ate, trechos: withoutNotes(data.trechos), puladas });
      }
      case 'SeriesUndone': {
        const { ate, trechos, removida } = data;
        return onItsDays({ ...row, ate, trechos: withoutNotes(trechos), removida });
      }
      case 'SeriesJoined':
        return { ...row, turma_id: data.turma_id };
      case 'SeriesReassigned':
        return { ...row, student_id: data.student_id };
    }
  },
});

/** Removes skipped dates that no longer belong to the series. */
function onItsDays(row: SeriesRow): SeriesRow {
  const pattern = { ...row, ate: null, trechos: row.trechos as RuledStretch[] };
  const isIn = ({ data }: Skipped) => datesOf(pattern, data, data).length > 0;
  return { ...row, puladas: row.puladas.filter(isIn) };
}

const withoutNotes = (trechos: readonly RuledStretch[]) =>
  trechos.map(({ observacoes: _, ...stretch }) => stretch);

@Controller()
class SeriesController {
  constructor(private readonly commands: CommandBus) {}

  @Serves(seriesCalls.change)
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: SeriesChanges) {
    const { escopo, impedidas, dias } = changes;
    return this.commands.execute(
      dias
        ? new ChangeSeriesDays(context, id, { escopo, impedidas, dias })
        : new ChangeSeries(context, id, changes),
    );
  }
}

/**
 * A series is a pattern of dates of which only the end changes, and stretches that describe the sessions from a date on: local
 * time, moved days, other weekdays, location, notes. Each session stores its date in the pattern (`ocorrencia`), so that changes
 * "from here on" and "all" find sessions that were moved; what was changed in a single session stays. Sessions of a series are
 * ordinary sessions with the same guards; the series' events contain their ids. The job `series` fills an endless series twelve
 * weeks ahead, and skips dates that are not free. Days of a pause that cancels the student's sessions are left out, and booked if it ends
 * earlier (`pausadas`). A series with a fixed number of sessions keeps that number when its weekdays
 * change. Students who share an hour have one series each, with the same `turma_id` (`SeriesJoined`). The group of a date
 * follows from both, so each series is filled, ended and undone separately, while time, location and weekdays are changed for
 * all of them in one command. A command that changes many sessions stores their former values, so that one command can undo it, also
 * later from a session's sheet (`pode_desfazer`), until the first day of the change is over.
 * When the trainer changes the time zone, sessions keep their instants, and the series records the new local times
 * (`SeriesZoneChanged`), so that later sessions have the same instants.
 */
@Module(
  together(
    serve(seriesApi, {
      cancel: CancelSeries,
      preview: PreviewSeries,
      start: StartSeries,
      get: GetSeries,
      undo: UndoSeries,
      undoPrice: definePrice<[string, string]>('PriceUndoSeries', UndoSeries, (id, mudanca_id) => [
        id,
        { mudanca_id, permitir_conflito: true },
      ]),
      join: JoinSeries,
      remove: DeleteSeries,
    }),
    {
      controllers: [SeriesController],
      providers: [
        FillSeries.Handler,
        FollowZone.Handler,
        ChangeSeries.Handler,
        ChangeSeriesDays.Handler,
        fillSeries.Handler,
        SeriesZones,
        SeriesPauses,
      ],
    },
  ),
)
export class SeriesModule {
  static readonly feature: Feature = {
    aggregates: [series],
    projections: [seriesRows],
    history: seriesHistory,
    ownData: {
      trainer: {
        series: `select id, student_id, dias, intervalo, inicio, ate, trechos, puladas, removida from series order by inicio, id`,
      },
    },
    errors: seriesErrors,
    jobs: [fillSeries],
    reactions: [followZone, followPause],
  };
}
