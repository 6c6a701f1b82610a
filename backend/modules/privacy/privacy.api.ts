import * as z from 'zod/mini';
import { id } from '../../platform/http/common.api.js';

/** What forgetting a student did: `sessoes_canceladas` counts the sessions that were still to come. */
export const forgotten = z.object({ id, sessoes_canceladas: z.int() });
export type Forgotten = z.infer<typeof forgotten>;
