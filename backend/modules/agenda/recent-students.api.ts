import * as z from 'zod/mini';
import { id } from '../../platform/http/common.api.js';

/** The active students with past or future sessions nearest to now, the nearest first. */
export const recentStudents = z.object({
  items: z.array(z.object({ id, nome: z.string(), creditos: z.int() })),
});
export type RecentStudents = z.infer<typeof recentStudents>;
