import * as z from 'zod/mini';
import { pkceFields, pkceRule } from './pkce.js';

/** Clients may add parameters for the provider; these two are passed on. */
export const authorizeQuery = z
  .looseObject({
    ...pkceFields,
    provider: z.string('Unsupported provider: Provider  could not be found'),
    redirect_to: z.optional(z.string()),
    prompt: z.optional(z.string()),
    login_hint: z.optional(z.string()),
  })
  .check(pkceRule);
export type AuthorizeQuery = z.infer<typeof authorizeQuery>;

/** The parameters of the callback, which differ by provider. */
export const callbackFields = z.record(z.string(), z.string());

export const providerAddress = z.object({ url: z.string() });

/** Any text; one that is not an id gives 404. */
export const identityParams = z.strictObject({ id: z.string() });
export type IdentityParams = z.infer<typeof identityParams>;
