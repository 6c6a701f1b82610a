import * as z from 'zod/mini';

/** Why a session cannot simply be booked at a time: a vacation, a holiday, another session or calendar, the trainer's hours. */
export const obstacleKind = z.enum(['ferias', 'feriado', 'ocupado', 'bloqueado', 'fora_do_horario']);

export const obstacle = z.object({ tipo: obstacleKind, texto: z.string() });
export type Obstacle = z.infer<typeof obstacle>;
