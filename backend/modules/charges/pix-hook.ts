import { addDays } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** Secrets are derived from their ids; null is the id of the initial one. */
type SecretId = string | null;

export interface HookSecrets {
  secret_id: SecretId;
  /** Replaced secrets, the newest first, and until when notices signed with them are accepted. */
  anteriores: { secret_id: SecretId; ate: string }[];
}

/** `em`: the instant of the decision (ISO). */
export interface PixHookEvent {
  type: 'PixSecretReplaced';
  data: { pix_hook_id: string; secret_id: string; em: string };
}

const VALID_DAYS = 3;
const MOST_BEFORE = 3;
const FIRST: HookSecrets = { secret_id: null, anteriores: [] };

/** The replaced secrets that are still accepted. */
export const validBefore = ({ anteriores }: HookSecrets, now: Date) =>
  anteriores.filter(({ ate }) => Date.parse(ate) > now.getTime());

export function afterReplacing(
  before: HookSecrets | null | undefined,
  { secret_id, em }: PixHookEvent['data'],
): HookSecrets {
  const known = before ?? FIRST;
  const now = new Date(em);
  const last = { secret_id: known.secret_id, ate: addDays(now, VALID_DAYS).toISOString() };
  return { secret_id, anteriores: [last, ...validBefore(known, now)].slice(0, MOST_BEFORE) };
}

/** The secret with which a provider signs its notices; the stream's id is the tenant's. */
export const pixHookStream: Aggregate<HookSecrets, PixHookEvent> = {
  name: 'pix-hook',
  initialState: FIRST,
  evolve(state, { type, data }) {
    switch (type) {
      case 'PixSecretReplaced':
        return afterReplacing(state, data);
    }
  },
  events: { PixSecretReplaced: { schemaVersion: 1 } },
};

export function decideReplaceSecret(pix_hook_id: string, secret_id: string, now: Date): PixHookEvent[] {
  return [{ type: 'PixSecretReplaced', data: { pix_hook_id, secret_id, em: now.toISOString() } }];
}
