import * as z from 'zod/mini';
import { policyTerms } from '../policies/policies.api.js';

const { cancel_limite_horas, taxa_percent } = policyTerms.shape;

/** The terms that are tried, as a query holds them. */
export const triedTerms = z.strictObject({
  cancel_limite_horas: z.pipe(z.coerce.number(), cancel_limite_horas),
  taxa_percent: z.pipe(z.coerce.number(), taxa_percent),
  queima_credito: z.enum(['sim', 'nao']),
});
export type TriedTerms = z.infer<typeof triedTerms>;

/** What the cancellations of each month would have cost at a place, the latest month first. */
export const policyPreview = z.object({
  meses: z.array(
    z.object({
      /** Its first day. */
      mes: z.string(),
      cancelamentos: z.int(),
      creditos: z.int(),
      /** Cents of all fees that can be known. */
      taxa: z.int(),
      /** Cancellations whose fee cannot be known: the student had no plan with credits. */
      sem_valor: z.int(),
      texto: z.string(),
    }),
  ),
});
export type PolicyPreview = z.infer<typeof policyPreview>;
