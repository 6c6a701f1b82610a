import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { atMoment, calendarDate, id, instant, momentQuery } from '../../platform/http/common.api.js';

/** A session as its student sees it. */
const ownSession = z.object({
  id,
  inicio: instant,
  fim: instant,
  location_nome: z.nullable(z.string()),
  servico: z.nullable(z.string()),
  /** The address of the meeting of an online service. */
  chamada: z.nullable(z.string()),
  /** Name of the class that it is in. */
  turma: z.nullable(z.string()),
  confirmado: z.boolean(),
  /** Its reminder was sent, and the student has not answered it. */
  a_confirmar: z.boolean(),
  /** Other students share the hour, so this student cannot move it. */
  compartilhada: z.boolean(),
  /** First names of the others who agreed to show theirs, if this student did too; only known as they are now. */
  com: z.array(z.string()),
  /** Until then the student may change it without the trainer's consent. */
  sozinho_ate: instant,
  /** The student's last request about it, if it is waiting or was refused. */
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

/** A session that was cancelled late at the student's request: what that cost, until it would have begun and that is paid. */
const ownLateCancellation = z.object({
  id,
  inicio: instant,
  /** "descontou 1 crédito e cobrou taxa de R$ 45,00" */
  custo: z.string(),
  /** What is left to pay; null if that is nothing, or is still to be agreed. */
  cobranca: z.nullable(z.object({ id, falta: z.int(), vencimento: calendarDate })),
});
export type OwnLateCancellation = z.infer<typeof ownLateCancellation>;

/** The student's next sessions, the soonest first, and when the trainer is on vacation soon. */
export const ownSessions = z.object({
  ...momentQuery,
  items: z.array(ownSession),
  desmarcadas: z.array(ownLateCancellation),
  /** Whether students who share an hour with this one see the first name. */
  mostra_nome: z.boolean(),
  ferias: z.array(z.object({ start_date: calendarDate, end_date: calendarDate })),
  /** The last day of the student's current pause. */
  pausado_ate: z.nullable(calendarDate),
});
export type OwnSessions = z.infer<typeof ownSessions>;

export const ownSessionsApi = {
  list: get('/student/sessions', {
    summary: 'Mostra as próximas sessões do próprio aluno',
    roles: ['aluno'],
    byLink: true,
    query: atMoment,
    answer: ownSessions,
  }),
};
