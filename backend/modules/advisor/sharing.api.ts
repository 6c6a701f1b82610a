import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, undoable } from '../../platform/http/common.api.js';

/**
 * The data that may be sent to the language model: none (the built-in advisor answers); questions and figures, with students as
 * "Aluno A"; or the same with their names.
 */
export const advisorSharing = z.strictObject({
  envio: z.enum(['nada', 'sem_nomes', 'com_nomes'], 'Escolha o que pode ser enviado'),
});
export type AdvisorSharing = z.infer<typeof advisorSharing>;
export type Sharing = AdvisorSharing['envio'];

export const sharingChange = z.strictObject(undoable(advisorSharing.shape));
export type SharingChange = z.infer<typeof sharingChange>;

/** Used before the trainer chooses. */
export const defaultSharing: AdvisorSharing = { envio: 'sem_nomes' };

export const shownSharing = z.object({
  envio: advisorSharing.shape.envio,
  /** Host of the language model; null where none is configured, so that nothing is sent anywhere. */
  servidor: z.nullable(z.string()),
});
export type ShownSharing = z.infer<typeof shownSharing>;

export const sharingApi = {
  show: get('/settings/advisor', {
    summary: 'Mostra o que o Consultor Financeiro envia ao servidor de IA',
    answer: shownSharing,
  }),
  share: put('/settings/advisor', {
    summary: 'Define o que o Consultor Financeiro envia ao servidor de IA',
    body: sharingChange,
    answer: created,
  }),
};
