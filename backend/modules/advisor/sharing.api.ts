import * as z from 'zod/mini';

/**
 * What of the business may be sent to the language model: nothing (the built-in advisor answers), what is asked and the
 * figures with students as "Aluno A", or with their names.
 */
export const advisorSharing = z.strictObject({
  envio: z.enum(['nada', 'sem_nomes', 'com_nomes'], 'Escolha o que pode ser enviado'),
});
export type AdvisorSharing = z.infer<typeof advisorSharing>;
export type Sharing = AdvisorSharing['envio'];

/** While nothing was chosen. */
export const defaultSharing: AdvisorSharing = { envio: 'sem_nomes' };

export const shownSharing = z.object({
  envio: advisorSharing.shape.envio,
  /** Host of the language model; null where none is configured, so that nothing is sent anywhere. */
  servidor: z.nullable(z.string()),
});
export type ShownSharing = z.infer<typeof shownSharing>;
