import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { holidaysBetween, type HolidayState } from './holiday-calendar.js';
import type { HolidayList, HolidaysQuery } from './holidays.api.js';

export class ListHolidays extends Query<HolidayList> {
  constructor(
    readonly context: RequestContext,
    readonly asked: HolidaysQuery,
  ) {
    super();
  }
}

@QueryHandler(ListHolidays)
export class ListHolidaysHandler implements IQueryHandler<ListHolidays> {
  constructor(private readonly database: Database) {}

  async execute({ context, asked: { from, to } }: ListHolidays): Promise<HolidayList> {
    const [row] = await this.database.read(context.tenantId, own({}));
    const { proprios = [], ligados = {} } = (row ?? {}) as unknown as Partial<HolidayState>;
    return { items: holidaysBetween({ proprios, ligados }, from, to) };
  }
}

const own = statement((db) => db.selectFrom('holidays').select(['proprios', 'ligados']).compile());
