import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { dateOf } from '../../platform/local-time.js';
import type { Availability, DateException, WeekRow } from './availability.api.js';

export const ShowAvailability = defineQuery(
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
