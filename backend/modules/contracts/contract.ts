import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { ContractChanges, ContractKind, NewContract } from './contracts.api.js';

/** The texts are null once the trainer's account is gone. */
interface ContractFields {
  titulo: string | null;
  tipo: ContractKind;
  conteudo: string | null;
}

export type ContractEvent =
  | { type: 'ContractCreated'; data: { contract_id: string } & ContractFields }
  /** `versao` is the next one, or the last one again where nobody had that to sign yet. */
  | { type: 'ContractRevised'; data: { contract_id: string; versao: number } & ContractFields }
  | { type: 'ContractDeactivated'; data: { contract_id: string } }
  | { type: 'ContractReactivated'; data: { contract_id: string } };

export type ContractState =
  | { status: 'unknown' }
  | {
      status: 'existing';
      contract_id: string;
      tipo: ContractKind;
      is_active: boolean;
      /** The first one is version 1. */
      versoes: readonly Omit<ContractFields, 'tipo'>[];
    };
export type ExistingContract = Exclude<ContractState, { status: 'unknown' }>;

const personal: PersonalFields<ContractFields> = {
  person: (_data, tenantId) => tenantId,
  fields: ['titulo', 'conteudo'],
};

export const contract: Aggregate<ContractState, ContractEvent> = {
  name: 'contract',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'ContractCreated') {
      const { contract_id, tipo, titulo, conteudo } = data;
      return { status: 'existing', contract_id, tipo, is_active: true, versoes: [{ titulo, conteudo }] };
    }
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'ContractRevised': {
        const { versao, tipo, titulo, conteudo } = data;
        return { ...state, tipo, versoes: [...state.versoes.slice(0, versao - 1), { titulo, conteudo }] };
      }
      case 'ContractDeactivated':
        return { ...state, is_active: false };
      case 'ContractReactivated':
        return { ...state, is_active: true };
    }
  },
  events: {
    ContractCreated: { schemaVersion: 1, personal },
    ContractRevised: { schemaVersion: 1, personal },
    ContractDeactivated: { schemaVersion: 1 },
    ContractReactivated: { schemaVersion: 1 },
  },
};

/** @throws Problem 404 where there is none */
export function existingContract(state: ContractState): ExistingContract {
  if (state.status === 'unknown') throw new Problem('contracts.not_found');
  return state;
}

/** @throws Problem 404 where there is none, 409 where it takes no new signatures */
export function activeContract(state: ContractState): ExistingContract {
  const existing = existingContract(state);
  if (!existing.is_active) throw new Problem('contracts.inactive');
  return existing;
}

export function decideCreate(contract_id: string, { titulo, tipo, conteudo }: NewContract): ContractEvent[] {
  return [{ type: 'ContractCreated', data: { contract_id, titulo, tipo, conteudo } }];
}

/** `isSent`: somebody has the last version to sign, or has signed it. What they read stays as it is. */
export function decideChange(
  state: ContractState,
  { is_active, ...wanted }: ContractChanges,
  isSent: boolean,
): ContractEvent[] {
  const { contract_id, versoes, tipo, ...current } = existingContract(state);
  const last = versoes.at(-1)!;
  const after = {
    titulo: wanted.titulo ?? last.titulo,
    tipo: wanted.tipo ?? tipo,
    conteudo: wanted.conteudo ?? last.conteudo,
  };
  const events: ContractEvent[] = [];
  const isOther = after.titulo !== last.titulo || after.conteudo !== last.conteudo;
  if (isOther || after.tipo !== tipo) {
    const versao = isOther && isSent ? versoes.length + 1 : versoes.length;
    events.push({ type: 'ContractRevised', data: { contract_id, versao, ...after } });
  }
  if (is_active !== undefined && is_active !== current.is_active)
    events.push({ type: is_active ? 'ContractReactivated' : 'ContractDeactivated', data: { contract_id } });
  return events;
}
