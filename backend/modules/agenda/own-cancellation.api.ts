import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';

/** What cancelling now costs; `sozinho`: possible without the trainer's consent. */
export const ownCancellation = z.object({ sozinho: z.boolean(), limite_horas: z.int(), texto: z.string() });
export type OwnCancellation = z.infer<typeof ownCancellation>;

export const ownCancellationApi = {
  show: get('/student/sessions/:id/cancellation', {
    summary: 'Mostra o que desmarcar agora custa ao próprio aluno',
    roles: ['aluno'],
    byLink: true,
    answer: ownCancellation,
  }),
};
