import * as z from 'zod/mini';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';

/** As much of a session as concerns its student. */
const ownSession = z.object({
  id,
  inicio: instant,
  fim: instant,
  location_nome: z.nullable(z.string()),
  confirmado: z.boolean(),
  /** Its reminder was sent, and the student has not answered it. */
  a_confirmar: z.boolean(),
  /** Others have the same hour: it is not moved by one of them. */
  compartilhada: z.boolean(),
  /** First names of those others who agreed to that, where the student did too. */
  com: z.array(z.string()),
  /** Until then the student may change it alone. */
  sozinho_ate: instant,
  /** What was asked about it last, where that waits or was refused. */
  pedido: z.nullable(
    z.object({
      pedido: z.enum(['desmarcar', 'remarcar']),
      novo_inicio: z.nullable(instant),
      situacao: z.enum(['aberto', 'recusado']),
      /** What the trainer wrote when refusing. */
      mensagem: z.nullable(z.string()),
    }),
  ),
});
export type OwnSession = z.infer<typeof ownSession>;

/** The student's next sessions, the soonest first, and when the trainer is on vacation soon. */
export const ownSessions = z.object({
  items: z.array(ownSession),
  /** Those who share an hour with the student read the first name. */
  mostra_nome: z.boolean(),
  ferias: z.array(z.object({ start_date: calendarDate, end_date: calendarDate })),
});
export type OwnSessions = z.infer<typeof ownSessions>;

/** What cancelling now costs; `sozinho`: without asking. */
export const ownCancellation = z.object({ sozinho: z.boolean(), limite_horas: z.int(), texto: z.string() });
export type OwnCancellation = z.infer<typeof ownCancellation>;
