import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import type { PixAccountChange, PixAccountRemoval, PixKeyKind } from './pix.api.js';

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
        /** Where the key is; keys that were set earlier say nothing of it. */
        banco?: string | null;
      };
    }
  | { type: 'PixKeyRemoved'; data: { pix_account_id: string } };

type PixAccountState = Required<Extract<PixAccountEvent, { type: 'PixKeySet' }>['data']> | null;

/** The trainer's Pix key; the stream's id is the tenant's. */
export const pixAccountStream: Aggregate<PixAccountState, PixAccountEvent> = {
  name: 'pix-account',
  initialState: null,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'PixKeySet':
        return { banco: null, ...data };
      case 'PixKeyRemoved':
        return null;
    }
  },
  events: {
    PixKeySet: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['chave', 'nome', 'cidade', 'banco'] },
    },
    PixKeyRemoved: { schemaVersion: 1 },
  },
};

const none: Record<'tipo' | 'chave' | 'nome' | 'cidade' | 'banco', string | null> = {
  tipo: null,
  chave: null,
  nome: null,
  cidade: null,
  banco: null,
};

export function decideSet(
  state: PixAccountState,
  pix_account_id: string,
  { se_ainda, ...wanted }: PixAccountChange,
): PixAccountEvent[] {
  refuseChanged('A chave Pix', state ?? none, se_ainda);
  const isSame = Object.keys(changedFields(state ?? none, wanted)).length === 0;
  return isSame ? [] : [{ type: 'PixKeySet', data: { pix_account_id, ...wanted } }];
}

export function decideRemove(
  state: PixAccountState,
  pix_account_id: string,
  { se_ainda }: PixAccountRemoval,
): PixAccountEvent[] {
  refuseChanged('A chave Pix', state ?? none, se_ainda);
  return state === null ? [] : [{ type: 'PixKeyRemoved', data: { pix_account_id } }];
}
