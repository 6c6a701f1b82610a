import * as z from 'zod/mini';
import { calendarDate, id } from '../../platform/http/common.api.js';

/** Result of forgetting a student: `sessoes_canceladas` counts the cancelled future sessions. */
export const forgotten = z.object({ id, sessoes_canceladas: z.int() });
export type Forgotten = z.infer<typeof forgotten>;

/** What the law makes the trainer keep of a student who is forgotten, and until which day. */
export const forgetPreview = z.object({
  permanece: z.array(z.object({ o_que: z.string(), por_que: z.string(), ate: calendarDate })),
  /** Titles of tasks that say the first name: they are the trainer's own words, and stay. */
  tarefas: z.array(z.string()),
});
export type ForgetPreview = z.infer<typeof forgetPreview>;
