import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { policyTerms } from '../policies/policies.api.js';

const { cancel_limite_horas, taxa_percent } = policyTerms.shape;

/** The terms to be tried, as query parameters. */
export const triedTerms = z.strictObject({
  cancel_limite_horas: z.pipe(z.coerce.number(), cancel_limite_horas),
  taxa_percent: z.pipe(z.coerce.number(), taxa_percent),
  queima_credito: z.enum(['sim', 'nao']),
});
export type TriedTerms = z.infer<typeof triedTerms>;

/** What the cancellations at a location would have cost, by month, the latest first. */
export const policyPreview = z.object({
  meses: z.array(
    z.object({
      /** Its first day. */
      mes: z.string(),
      cancelamentos: z.int(),
      creditos: z.int(),
      /** Sum of the fees that can be computed, in cents. */
      taxa: z.int(),
      /** Cancellations whose fee cannot be computed, because the student had no plan with credits. */
      sem_valor: z.int(),
      texto: z.string(),
    }),
  ),
});
export type PolicyPreview = z.infer<typeof policyPreview>;

export const policyPreviewApi = {
  preview: get('/locations/:id/policy/preview', {
    summary: 'Mostra o que cancelamentos passados teriam custado com outra política',
    tags: ['policies'],
    query: triedTerms,
    answer: policyPreview,
  }),
};
