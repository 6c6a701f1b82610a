import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, id, page, pageQuery, undoable } from '../../platform/http/common.api.js';

/** What a late cancellation at a location costs. */
export const policyTerms = z.strictObject({
  /** Hours before the start until which cancelling is free. */
  cancel_limite_horas: z.int().check(z.minimum(0), z.maximum(720)),
  /** Share of the session's value that is charged, in whole percent. */
  taxa_percent: z.int().check(z.minimum(0), z.maximum(100)),
  /** Whether it uses a credit. */
  queima_credito: z.boolean(),
});
export type PolicyTerms = z.infer<typeof policyTerms>;

export const policyChange = z.strictObject(undoable(policyTerms.shape));
export type PolicyChange = z.infer<typeof policyChange>;

/** Applies to locations without a policy of their own and to sessions without a location. */
export const defaultPolicy: PolicyTerms = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };

export const policy = z.extend(z.object(policyTerms.shape), {
  location_id: id,
  location_nome: z.string(),
  /** True while the default is in force there. */
  padrao: z.boolean(),
});
export type Policy = z.infer<typeof policy>;

export const policyList = z.strictObject({ ...pageQuery, cursor: z.optional(id) });
export type PolicyList = z.infer<typeof policyList>;

/** One policy for each location, in the order of the locations. */
export const policyPage = page(policy);
export type PolicyPage = z.infer<typeof policyPage>;

export const policiesApi = {
  list: get('/policies', {
    summary: 'Lista as políticas de cancelamento por local',
    query: policyList,
    answer: policyPage,
  }),
  set: put('/locations/:id/policy', {
    summary: 'Define a política de cancelamento de um local',
    tags: ['policies'],
    body: policyChange,
    answer: created,
  }),
};
