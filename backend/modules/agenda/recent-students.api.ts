import * as z from 'zod/mini';
import { id } from '../../platform/http/common.api.js';

/** The active students whose sessions are nearest to now, whether over or to come, nearest first. */
export const recentStudents = z.object({
  items: z.array(z.object({ id, nome: z.string(), creditos: z.int() })),
});
export type RecentStudents = z.infer<typeof recentStudents>;
