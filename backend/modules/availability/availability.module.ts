import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import {
  availabilityApi,
  availabilityErrors,
  type ExceptionRows,
  type NewWeek,
  type Availability,
  type DateException,
  type WeekRow,
  type DayRow,
} from './availability.api.js';
import { type AvailabilityEvent, availability, decideSetException, decideSetWeek } from './availability.js';

const subjects = (_data: never, tenantId: string) => [`availability:${tenantId}`];

const days = ['dom.', 'seg.', 'ter.', 'qua.', 'qui.', 'sex.', 'sáb.'];

const time = (clock: string) => clock.replace(/^0/, '');
const stretch = ({ start_time, end_time, is_blocked }: DayRow) =>
  `${time(start_time)}–${time(end_time)}${is_blocked ? ' bloqueado' : ''}`;

function week(horarios: readonly WeekRow[]): string {
  const named = days.map((day, weekday) => {
    const rows = horarios.filter(({ day_of_week }) => day_of_week === weekday);
    return rows.length === 0 ? '' : `${day} ${rows.map(stretch).join(' e ')}`;
  });
  return named.filter(Boolean).join('; ');
}

const availabilityHistory: HistoryWords<AvailabilityEvent> = {
  AvailabilitySet: {
    subjects,
    words: ({ horarios }) =>
      horarios.length === 0
        ? 'Removeu os horários de atendimento: todo dia das 9:00 às 17:00'
        : `Definiu os horários de atendimento: ${week(horarios)}`,
  },
  AvailabilityExceptionSet: {
    subjects,
    words: ({ data, horarios }) =>
      horarios.length === 0
        ? `Removeu a exceção de ${shortDate(data)}`
        : `Definiu uma exceção para ${shortDate(data)}: ${horarios.map(stretch).join(' e ')}`,
  },
};

const ShowAvailability = defineQuery(
  'ShowAvailability',
  async ({ context, now, read }): Promise<Availability> => {
    const [row] = await read(own({}));
    const today = dateOf(now, context.timezone);
    const excecoes = (row?.excecoes ?? []) as unknown as DateException[];
    return {
      horarios: (row?.horarios ?? []) as unknown as WeekRow[],
      versao: row?.versao ?? 0,
      excecoes: excecoes.filter(({ data }) => data >= today),
    };
  },
);

const own = statement((db) =>
  db.selectFrom('availability').select(['horarios', 'versao', 'excecoes']).compile(),
);

const SetAvailability = defineCommand('SetAvailability', async (tx, week: NewWeek) => {
  const id = tx.context.tenantId;
  tx.append(availability, id, decideSetWeek(await tx.load(availability, id), week));
  const { versao } = await tx.load(availability, id);
  return { id, versao };
});

const SetAvailabilityException = defineCommand(
  'SetAvailabilityException',
  async (tx, data: string, rows: ExceptionRows) => {
    const id = tx.context.tenantId;
    const state = await tx.load(availability, id);
    const today = dateOf(tx.now, tx.context.timezone);
    tx.append(availability, id, decideSetException(state, { data, ...rows }, today));
    return { id, versao: state.versao };
  },
);

@Module(
  serve(availabilityApi, {
    show: ShowAvailability,
    set: SetAvailability,
    setException: SetAvailabilityException,
  }),
)
export class AvailabilityModule {
  static readonly feature: Feature = {
    aggregates: [availability],
    // A tenant's week and exceptions, under the tenant's id; no row before the first save.
    projections: [
      stateProjection(availability, {
        name: 'availability',
        topic: 'availability',
        table: 'availability',
        students: 'all',
      }),
    ],
    history: availabilityHistory,
    ownData: { trainer: { disponibilidade: `select horarios, excecoes from availability` } },
    errors: availabilityErrors,
  };
}
