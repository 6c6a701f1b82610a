import * as z from 'zod/mini';

/** The person as named by the provider, for the page that completes the sign-up. */
export const newcomer = z.object({
  provider: z.enum(['google', 'apple']),
  email: z.string(),
  /** As given by the provider; empty where it gives none. */
  nome: z.string(),
});
export type NewcomerAnswer = z.infer<typeof newcomer>;
