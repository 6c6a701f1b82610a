import * as z from 'zod/mini';

/** Whom a provider has named, as the page shows it that asks for the rest. */
export const newcomer = z.object({
  provider: z.enum(['google', 'apple']),
  email: z.string(),
  /** As the provider tells it; empty where it does not. */
  nome: z.string(),
});
export type NewcomerAnswer = z.infer<typeof newcomer>;
