import * as z from 'zod/mini';

/**
 * The data that may be sent to the language model: none (the built-in advisor answers); questions and figures, with students as
 * "Aluno A"; or the same with their names.
 */
export const advisorSharing = z.strictObject({
  envio: z.enum(['nada', 'sem_nomes', 'com_nomes'], 'Escolha o que pode ser enviado'),
});
export type AdvisorSharing = z.infer<typeof advisorSharing>;
export type Sharing = AdvisorSharing['envio'];

/** Used before the trainer chooses. */
export const defaultSharing: AdvisorSharing = { envio: 'sem_nomes' };

export const shownSharing = z.object({
  envio: advisorSharing.shape.envio,
  /** Host of the language model; null where none is configured, so that nothing is sent anywhere. */
  servidor: z.nullable(z.string()),
});
export type ShownSharing = z.infer<typeof shownSharing>;
