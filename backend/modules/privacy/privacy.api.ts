import * as z from 'zod/mini';
import { calendarDate, id } from '../../platform/http/common.api.js';

/** Result of forgetting a student: `sessoes_canceladas` counts the cancelled future sessions. */
export const forgotten = z.object({ id, sessoes_canceladas: z.int() });
export type Forgotten = z.infer<typeof forgotten>;

/** What the law makes the trainer keep of a student who is forgotten, and until which day. */
export const forgetPreview = z.object({
  permanece: z.array(z.object({ o_que: z.string(), por_que: z.string(), ate: calendarDate })),
});
export type ForgetPreview = z.infer<typeof forgetPreview>;
