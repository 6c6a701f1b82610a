import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NewPayer, PayerChanges } from './payers.api.js';

/** Texts are null once the person is forgotten. */
export interface PayerFields {
  nome: string | null;
  documento: string | null;
  whatsapp: string | null;
  email: string | null;
}

export type PayerEvent =
  | { type: 'PayerRegistered'; data: { payer_id: string } & PayerFields }
  /** Only what changed. */
  | { type: 'PayerChanged'; data: { payer_id: string } & Partial<PayerFields> }
  /** `alunos`: whom the payer paid for until then. */
  | { type: 'PayerRemoved'; data: { payer_id: string; alunos: string[] } }
  | { type: 'PayerRestored'; data: { payer_id: string } }
  /** The link of what the payer owes; an earlier one becomes invalid. `txid`: how a Pix names it. */
  | {
      type: 'PayerLinkOpened';
      data: { payer_id: string; link_id: string; token_hash: string; txid: string };
    };

export interface KnownPayer extends PayerFields {
  payer_id: string;
  removed: boolean;
  /** Of a removed one. */
  alunos: string[];
  link_id: string | null;
}

/** Undefined until it is registered. */
export type PayerState = KnownPayer | undefined;

const personal: PersonalFields<{ payer_id: string } & Partial<PayerFields>> = {
  person: ({ payer_id }) => payer_id,
  fields: ['nome', 'documento', 'whatsapp', 'email'],
};

/** Somebody who pays for students: a parent, a partner, a company. A person with an encryption key of their own. */
export const payer: Aggregate<PayerState, PayerEvent> = {
  name: 'payer',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'PayerRegistered') return { ...data, removed: false, alunos: [], link_id: null };
    if (!state) return undefined;
    switch (type) {
      case 'PayerChanged':
        return { ...state, ...data };
      case 'PayerRemoved':
        return { ...state, removed: true, alunos: data.alunos };
      case 'PayerRestored':
        return { ...state, removed: false, alunos: [] };
      case 'PayerLinkOpened':
        return { ...state, link_id: data.link_id };
    }
  },
  events: {
    PayerRegistered: { schemaVersion: 1, personal },
    PayerChanged: { schemaVersion: 1, personal },
    PayerRemoved: { schemaVersion: 1 },
    PayerRestored: { schemaVersion: 1 },
    PayerLinkOpened: { schemaVersion: 1 },
  },
};

/** The payer, removed or not. @throws Problem 404 where it was never registered, 409 where the person was forgotten */
function knownPayer(state: PayerState): KnownPayer {
  if (!state) throw new Problem('payers.not_found');
  if (state.nome === null) throw new Problem('payers.forgotten');
  return state;
}

/** @throws Problem 404 for one that was removed */
export function existingPayer(state: PayerState): KnownPayer {
  const known = knownPayer(state);
  if (known.removed) throw new Problem('payers.not_found');
  return known;
}

/** A letter and 24 digits, as that of a charge has, which begins with another digit. */
export const billTxidOf = (payerId: string): string =>
  `R1${payerId.replaceAll('-', '').slice(0, 23).toUpperCase()}`;

export const decideOpenLink = (
  payer_id: string,
  link: { link_id: string; token_hash: string },
): PayerEvent[] => [{ type: 'PayerLinkOpened', data: { payer_id, ...link, txid: billTxidOf(payer_id) } }];

export const decideRegister = (payer_id: string, { student_id: _, ...fields }: NewPayer): PayerEvent[] => [
  { type: 'PayerRegistered', data: { payer_id, ...fields } },
];

export function decideChange(state: PayerState, { se_ainda, ...wanted }: PayerChanges): PayerEvent[] {
  const current = existingPayer(state);
  refuseChanged<PayerFields>('O pagador', current, se_ainda);
  const changes = changedFields<PayerFields>(current, wanted);
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'PayerChanged', data: { payer_id: current.payer_id, ...changes } }];
}

export const decideRemove = (state: PayerState, alunos: string[]): PayerEvent[] => [
  { type: 'PayerRemoved', data: { payer_id: existingPayer(state).payer_id, alunos } },
];

/** Undoes a removal. */
export function decideRestore(state: PayerState): PayerEvent[] {
  const { removed, payer_id } = knownPayer(state);
  return removed ? [{ type: 'PayerRestored', data: { payer_id } }] : [];
}
