import * as z from 'zod/mini';
import { id, instant } from '../../platform/http/common.api.js';

/** As much of a session as concerns its student. */
const ownSession = z.object({
  id,
  inicio: instant,
  fim: instant,
  location_nome: z.nullable(z.string()),
  confirmado: z.boolean(),
  /** Its reminder was sent, and the student has not answered it. */
  a_confirmar: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

/** The student's next sessions, the soonest first. */
export const ownSessions = z.object({ items: z.array(ownSession) });
export type OwnSessions = z.infer<typeof ownSessions>;
