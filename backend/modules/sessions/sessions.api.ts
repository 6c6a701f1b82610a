import * as z from 'zod/mini';

export const sessionStatus = z.enum(['agendada', 'feita', 'cancelada'], 'Status inválido');
export type SessionStatus = z.infer<typeof sessionStatus>;

/** Why a session was cancelled: by the trainer, by the student in or out of time, or a no-show. */
export const cancellationReason = z.enum(
  ['personal', 'aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'],
  'Motivo inválido',
);
export type CancellationReason = z.infer<typeof cancellationReason>;

/** What is wrong with a session of so many minutes, which ends after it starts and lasts 15 minutes to 6 hours. */
export function wrongLength(minutes: number): string | undefined {
  if (minutes <= 0) return 'O fim deve ser depois do início.';
  if (minutes < 15) return 'A sessão deve durar pelo menos 15 minutos.';
  return minutes > 6 * 60 ? 'A sessão deve durar no máximo 6 horas.' : undefined;
}
