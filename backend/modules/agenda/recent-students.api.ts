import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { id } from '../../platform/http/common.api.js';

/** The active students with past or future sessions nearest to now, the nearest first. */
export const recentStudents = z.object({
  items: z.array(z.object({ id, nome: z.string(), creditos: z.int() })),
});
export type RecentStudents = z.infer<typeof recentStudents>;

export const recentStudentsApi = {
  list: get('/sessions/recent-students', {
    summary: 'Lista os alunos atendidos há pouco',
    answer: recentStudents,
  }),
};
