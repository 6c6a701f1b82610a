import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { id, instant } from '../../platform/http/common.api.js';

/** Maximum of days in one query of free times. */
const MOST_FREE_DAYS = 28;
const DAY_MS = 86_400_000;

/** `minutos`: length of the session. `location_id`: its location, for travel times. */
export const freeTimesQuery = z
  .strictObject({
    from: instant,
    to: instant,
    minutos: z._default(z.coerce.number().check(z.int(), z.minimum(15), z.maximum(360)), 60),
    location_id: z.optional(id),
  })
  .check(
    z.refine(({ from, to }) => from < to, { error: 'O fim deve ser depois do início', path: ['to'] }),
    // A day may have 25 hours.
    z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= (MOST_FREE_DAYS + 1 / 24) * DAY_MS, {
      error: `Consulte no máximo ${MOST_FREE_DAYS} dias`,
      path: ['to'],
    }),
  );
export type FreeTimesQuery = z.infer<typeof freeTimesQuery>;

const period = { inicio: instant, fim: instant };
export const freePeriod = z.object(period);
export type FreePeriod = z.infer<typeof freePeriod>;

/** `fechado`: outside of working hours. `deslocamento`: travel time between two locations. */
const blockKind = z.enum(['ferias', 'bloqueado', 'outro_calendario', 'deslocamento', 'fechado']);
export type BlockKind = z.infer<typeof blockKind>;

/**
 * `livres`: future periods that are long enough for the session. `inicios`: possible starts, every half hour. `bloqueios`:
 * blocked times in the period, including past ones.
 */
export const freeTimesAnswer = z.object({
  livres: z.array(freePeriod),
  inicios: z.array(instant),
  bloqueios: z.array(z.object({ ...period, tipo: blockKind, descricao: z.nullable(z.string()) })),
});
export type FreeTimesAnswer = z.infer<typeof freeTimesAnswer>;

export const freeTimesApi = {
  list: get('/free-times', {
    summary: 'Mostra os horários livres',
    tags: ['availability'],
    query: freeTimesQuery,
    answer: freeTimesAnswer,
  }),
};
