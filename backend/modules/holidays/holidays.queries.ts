import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { holidaysBetween, type HolidayState } from './holiday-calendar.js';
import type { HolidayList, HolidaysQuery } from './holidays.api.js';

export const ListHolidays = defineQuery(
  'ListHolidays',
  async ({ read }, { from, to }: HolidaysQuery): Promise<HolidayList> => {
    const [row] = await read(own({}));
    const { proprios = [], ligados = {} } = (row ?? {}) as unknown as Partial<HolidayState>;
    return { items: holidaysBetween({ proprios, ligados }, from, to) };
  },
);

const own = statement((db) => db.selectFrom('holidays').select(['proprios', 'ligados']).compile());
