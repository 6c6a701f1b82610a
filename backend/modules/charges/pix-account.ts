import type { Aggregate } from '../../platform/event-store/aggregate.js';
import type { PixAccount, PixKeyKind } from './pix.api.js';

export type PixAccountEvent =
  /** Texts are null once the trainer's key is destroyed. */
  | {
      type: 'PixKeySet';
      data: {
        pix_account_id: string;
        tipo: PixKeyKind;
        chave: string | null;
        nome: string | null;
        cidade: string | null;
      };
    }
  | { type: 'PixKeyRemoved'; data: { pix_account_id: string } };

type PixAccountState = Extract<PixAccountEvent, { type: 'PixKeySet' }>['data'] | null;

/** The trainer's Pix key; the stream's id is the tenant's. */
export const pixAccountStream: Aggregate<PixAccountState, PixAccountEvent> = {
  name: 'pix-account',
  initialState: null,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'PixKeySet':
        return data;
      case 'PixKeyRemoved':
        return null;
    }
  },
  events: {
    PixKeySet: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['chave', 'nome', 'cidade'] },
    },
    PixKeyRemoved: { schemaVersion: 1 },
  },
};

export function decideSet(
  state: PixAccountState,
  pix_account_id: string,
  wanted: PixAccount,
): PixAccountEvent[] {
  const same = (['tipo', 'chave', 'nome', 'cidade'] as const).every(
    (field) => state?.[field] === wanted[field],
  );
  return same ? [] : [{ type: 'PixKeySet', data: { pix_account_id, ...wanted } }];
}

export function decideRemove(state: PixAccountState, pix_account_id: string): PixAccountEvent[] {
  return state === null ? [] : [{ type: 'PixKeyRemoved', data: { pix_account_id } }];
}
