import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NewPixProvider } from './pix-provider.api.js';

/** Texts are null once the trainer's encryption key is destroyed. */
type Secrets = { [Field in keyof NewPixProvider]: string | null };

export type ProviderConnectionEvent =
  | { type: 'PixProviderConnected'; data: Known }
  | { type: 'PixProviderDisconnected'; data: { connection_id: string } };

type Known = Secrets & { connection_id: string };

/** Addresses and credentials of a provider. */
export type Connection = NewPixProvider & { connection_id: string };

export interface ConnectionState {
  /** The last connection, connected or not. */
  last: Known | null;
  /** All former connections, newest first: codes that they made may still be paid. Each code asks its own. */
  former: Known[];
  connected: boolean;
}

/** The trainer's account at a provider; the stream's id is the tenant's. */
export const providerConnection: Aggregate<ConnectionState, ProviderConnectionEvent> = {
  name: 'pix-provider',
  initialState: { last: null, former: [], connected: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'PixProviderConnected':
        return { last: data, former: formerThan(data, state), connected: true };
      case 'PixProviderDisconnected':
        return { ...state, connected: false };
    }
  },
  events: {
    PixProviderConnected: {
      schemaVersion: 1,
      personal: {
        person: (_data, tenantId) => tenantId,
        fields: ['url_api', 'url_token', 'client_id', 'client_secret', 'certificado', 'chave_privada'],
      },
    },
    PixProviderDisconnected: { schemaVersion: 1 },
  },
};

function formerThan({ connection_id }: Known, { last, former }: ConnectionState): Known[] {
  const before = last ? [last, ...former] : former;
  return before.filter((known) => known.connection_id !== connection_id);
}

/** Null if no provider is connected, or the trainer was forgotten. */
export function connectionOf({
  last,
  connected,
}: Pick<ConnectionState, 'last' | 'connected'>): Connection | null {
  if (!connected || !last) return null;
  const { url_api, url_token, client_id, client_secret } = last;
  if (url_api === null || url_token === null || client_id === null || client_secret === null) return null;
  return { ...last, url_api, url_token, client_id, client_secret };
}

/** Connections that may know a connection's codes: itself, and the last one if it has the same API, as after new credentials. */
export function knowersOf({ last, former }: ConnectionState, connection_id: string): Connection[] {
  const all = last ? [last, ...former] : former;
  const maker = all.find((known) => known.connection_id === connection_id);
  const renewed = maker && last && maker !== last && maker.url_api === last.url_api ? [last] : [];
  return [maker, ...renewed].flatMap((known) => connectionOf({ last: known ?? null, connected: true }) ?? []);
}

/** Replaces the previous connection. */
export function decideConnect(connection_id: string, wanted: NewPixProvider): ProviderConnectionEvent[] {
  return [{ type: 'PixProviderConnected', data: { connection_id, ...wanted } }];
}

export function decideDisconnect({ last, connected }: ConnectionState): ProviderConnectionEvent[] {
  if (!connected || !last) return [];
  return [{ type: 'PixProviderDisconnected', data: { connection_id: last.connection_id } }];
}

/** Undoes the last disconnection. */
export function decideReconnect(state: ConnectionState): ProviderConnectionEvent[] {
  if (!state.last || !connectionOf({ ...state, connected: true })) throw new Problem('pix_provider.none');
  return state.connected ? [] : [{ type: 'PixProviderConnected', data: state.last }];
}
