import * as z from 'zod/mini';
import { id } from '../../platform/http/common.api.js';

export const hookParams = z.strictObject({ account: id });
/** How Meta asks whether an address is the one that was registered. */
export const hookChallenge = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string(),
  'hub.challenge': z.string().check(z.maxLength(200)),
});
/** Reports of Meta, whose parts are read one by one: one of an unknown shape must not keep the others back. */
export const hookReport = z.object({ entry: z._default(z.array(z.unknown()), []) });
