import * as z from 'zod/mini';

export const sessionStatus = z.enum(['agendada', 'feita', 'cancelada'], 'Status inválido');
export type SessionStatus = z.infer<typeof sessionStatus>;

/** Why a session was cancelled: by the trainer, by the student in or out of time, or a no-show. */
export const cancellationReason = z.enum(
  ['personal', 'aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'],
  'Motivo inválido',
);
export type CancellationReason = z.infer<typeof cancellationReason>;
