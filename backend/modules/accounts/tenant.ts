import { type Aggregate, refuseChanged } from '../../platform/event-store/aggregate.js';

export type TenantEvent =
  /** A trainer's business is created: the first event of every tenant's log. */
  | {
      type: 'TenantOpened';
      data: {
        owner_user_id: string;
        /** IANA name, such as `America/Sao_Paulo`. */
        timezone: string;
        /** ISO 4217; missing in older events, which means BRL. */
        currency?: string;
      };
    }
  /** Stored instants do not change; from now on, days and hours are those of the new zone. */
  | { type: 'TenantZoneChanged'; data: { timezone: string } }
  /** The trainer's account and encryption key are deleted: the last event of a tenant's log. */
  | { type: 'TenantClosed'; data: { tenant_id: string } };

/** Null before `TenantOpened`. */
export type Tenant = { ownerUserId: string; timezone: string; closed: boolean } | null;

export const tenant: Aggregate<Tenant, TenantEvent> = {
  name: 'tenant',
  initialState: null,
  evolve(state, { type, data }) {
    switch (type) {
      case 'TenantOpened':
        return { ownerUserId: data.owner_user_id, timezone: data.timezone, closed: false };
      case 'TenantZoneChanged':
        return state && { ...state, timezone: data.timezone };
      case 'TenantClosed':
        return state && { ...state, closed: true };
    }
  },
  events: {
    TenantOpened: { schemaVersion: 1 },
    TenantZoneChanged: { schemaVersion: 1 },
    TenantClosed: { schemaVersion: 1, forgets: ({ tenant_id }) => tenant_id },
  },
};

/** `seen`: the zone that the change replaces; refused where it is another one by now. */
export function decideZone(state: Tenant, timezone: string, seen?: string): TenantEvent[] {
  refuseChanged('O fuso horário', { zone: state?.timezone }, { zone: seen });
  return state?.timezone === timezone ? [] : [{ type: 'TenantZoneChanged', data: { timezone } }];
}

/** No event for an unknown or closed tenant. */
export function decideClose(state: Tenant, tenant_id: string): TenantEvent[] {
  return state === null || state.closed ? [] : [{ type: 'TenantClosed', data: { tenant_id } }];
}
