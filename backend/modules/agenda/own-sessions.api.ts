import * as z from 'zod/mini';
import { id, instant } from '../../platform/http/common.api.js';

/** The student's next sessions, the soonest first: as much of them as concerns the student. */
export const ownSessions = z.object({
  items: z.array(
    z.object({
      id,
      inicio: instant,
      fim: instant,
      location_nome: z.nullable(z.string()),
      confirmado: z.boolean(),
    }),
  ),
});
export type OwnSessions = z.infer<typeof ownSessions>;
