import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import {
  type HolidayEvent,
  holidayName,
  holidays,
  holidaysBetween,
  type HolidayState,
  decideAdd,
  decideRemove,
  decideRestore,
  decideSwitch,
} from './holiday-calendar.js';
import {
  holidaysApi,
  holidayErrors,
  type HolidayList,
  type HolidaysQuery,
  type HolidaySwitch,
  type NewHoliday,
} from './holidays.api.js';

const AddHoliday = defineCommand('AddHoliday', async (tx, wanted: NewHoliday) => {
  const { tenantId } = tx.context;
  const id = randomUUID();
  tx.append(holidays, tenantId, decideAdd(await tx.load(holidays, tenantId), id, wanted));
  return { id };
});

const RemoveHoliday = defineCommand('RemoveHoliday', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(holidays, tenantId, decideRemove(await tx.load(holidays, tenantId), id));
  return { id };
});

const RestoreHoliday = defineCommand('RestoreHoliday', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(holidays, tenantId, decideRestore(await tx.load(holidays, tenantId), id));
  return { id };
});

const SwitchHoliday = defineCommand('SwitchHoliday', async (tx, id: string, { ativo }: HolidaySwitch) => {
  const { tenantId } = tx.context;
  tx.append(holidays, tenantId, decideSwitch(await tx.load(holidays, tenantId), id, ativo));
  return { id };
});

const ListHolidays = defineQuery(
  'ListHolidays',
  async ({ read }, { from, to }: HolidaysQuery): Promise<HolidayList> => {
    const [row] = await read(own({}));
    const { proprios = [], ligados = {} } = (row ?? {}) as unknown as Partial<HolidayState>;
    return { items: holidaysBetween({ proprios, ligados }, from, to) };
  },
);

const own = statement((db) => db.selectFrom('holidays').select(['proprios', 'ligados']).compile());

const subjects = (_data: never, tenantId: string) => [`availability:${tenantId}`];

const holidayHistory: HistoryWords<HolidayEvent> = {
  HolidayAdded: {
    subjects,
    words: ({ nome, data, anual }) =>
      `Adicionou o feriado ${nome ?? '(apagado)'} em ${anual ? `${shortDate(data).slice(0, 5)}, todo ano` : shortDate(data)}`,
  },
  HolidayRemoved: { subjects, words: () => 'Removeu um feriado seu' },
  HolidayRestored: { subjects, words: () => 'Desfez a remoção de um feriado seu' },
  HolidaySwitched: {
    subjects,
    words: ({ holiday_id, ativo }) =>
      `${ativo ? 'Ativou' : 'Desativou'} o feriado: ${holidayName(holiday_id)}`,
  },
};

@Module(
  serve(holidaysApi, {
    list: ListHolidays,
    add: AddHoliday,
    switch: SwitchHoliday,
    remove: RemoveHoliday,
    restore: RestoreHoliday,
  }),
)
export class HolidaysModule {
  static readonly feature: Feature = {
    aggregates: [holidays],
    // A tenant's own holidays and switches, under the tenant's id; no row while everything has its default.
    projections: [stateProjection(holidays, { name: 'holidays', topic: 'availability', table: 'holidays' })],
    history: holidayHistory,
    ownData: { trainer: { feriados: `select proprios, ligados from holidays` } },
    errors: holidayErrors,
  };
}
