import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** A trainer's business begins: the first event of every tenant's log. */
export interface TenantOpened {
  type: 'TenantOpened';
  data: {
    owner_user_id: string;
    /** IANA name, such as `America/Sao_Paulo`. */
    timezone: string;
  };
}

export type TenantEvent = TenantOpened;

/** Null before it is opened. */
export type Tenant = { ownerUserId: string; timezone: string } | null;

export const tenant: Aggregate<Tenant, TenantEvent> = {
  name: 'tenant',
  initialState: null,
  evolve: (_state, { data }) => ({ ownerUserId: data.owner_user_id, timezone: data.timezone }),
  events: { TenantOpened: { schemaVersion: 1 } },
};
