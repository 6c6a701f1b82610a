import * as z from 'zod/mini';
import { post, get } from '../../platform/http/calls.api.js';
import { calendarDate, created, id } from '../../platform/http/common.api.js';

/** Result of forgetting a student: `sessoes_canceladas` counts the cancelled future sessions. */
export const forgotten = z.object({ id, sessoes_canceladas: z.int() });
export type Forgotten = z.infer<typeof forgotten>;

/** The data of a forgotten student that the trainer must retain by law, and until which day. */
export const forgetPreview = z.object({
  permanece: z.array(z.object({ o_que: z.string(), por_que: z.string(), ate: calendarDate })),
  /** Titles of tasks with the first name, which stay, because they are the trainer's own texts. */
  tarefas: z.array(z.string()),
});
export type ForgetPreview = z.infer<typeof forgetPreview>;

/** The same of a payer. */
export const payerForgetPreview = z.pick(forgetPreview, { permanece: true });
export type PayerForgetPreview = z.infer<typeof payerForgetPreview>;

export const privacyApi = {
  preview: get('/students/:id/forget', {
    summary: 'O que permanece de um aluno apagado',
    answer: forgetPreview,
  }),
  forget: post('/students/:id/forget', {
    summary: 'Apaga os dados de um aluno, para sempre',
    answer: forgotten,
  }),
  previewPayer: get('/payers/:id/forget', {
    summary: 'O que permanece de um pagador apagado',
    answer: payerForgetPreview,
  }),
  forgetPayer: post('/payers/:id/forget', {
    summary: 'Apaga os dados de um pagador, para sempre',
    answer: created,
  }),
};
