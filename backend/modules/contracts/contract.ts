import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { ContractChanges, ContractKind, NewContract } from './contracts.api.js';
import { upcasters } from './upcasters.js';

/** The texts are null once the trainer's account was deleted. */
interface ContractFields {
  titulo: string | null;
  tipo: ContractKind;
  conteudo: string | null;
}

/** What a contract requires of its signers beside the signature, and whether it reminds them automatically. */
export interface Requirements {
  /** Signers confirm a code that is mailed to the student. */
  codigo_email: boolean;
  /** Signers give their birth date; for a minor, a guardian signs. */
  responsavel: boolean;
  /** Students who have not signed are reminded automatically. */
  lembretes: boolean;
}

const defaults: Requirements = { codigo_email: false, responsavel: false, lembretes: true };

export type ContractEvent =
  | { type: 'ContractCreated'; data: { contract_id: string } & ContractFields }
  /** `versao` is the next number, or the last one again if that version was not sent to anybody yet. */
  | { type: 'ContractRevised'; data: { contract_id: string; versao: number } & ContractFields }
  | { type: 'ContractRequirementsSet'; data: { contract_id: string } & Requirements }
  | { type: 'ContractDeactivated'; data: { contract_id: string } }
  | { type: 'ContractReactivated'; data: { contract_id: string } };

export type ContractState =
  | { status: 'unknown' }
  | {
      status: 'existing';
      contract_id: string;
      tipo: ContractKind;
      is_active: boolean;
      requisitos: Requirements;
      /** The first element is version 1. */
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
      const versoes = [{ titulo, conteudo }];
      return { status: 'existing', contract_id, tipo, is_active: true, requisitos: defaults, versoes };
    }
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'ContractRevised': {
        const { versao, tipo, titulo, conteudo } = data;
        return { ...state, tipo, versoes: [...state.versoes.slice(0, versao - 1), { titulo, conteudo }] };
      }
      case 'ContractRequirementsSet': {
        const { codigo_email, responsavel, lembretes } = data;
        return { ...state, requisitos: { codigo_email, responsavel, lembretes } };
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
    ContractRequirementsSet: {
      schemaVersion: 2,
      upcasters: upcasters.ContractRequirementsSet,
    },
    ContractDeactivated: { schemaVersion: 1 },
    ContractReactivated: { schemaVersion: 1 },
  },
};

/** @throws Problem 404 where it does not exist */
export function existingContract(state: ContractState): ExistingContract {
  if (state.status === 'unknown') throw new Problem('contracts.not_found');
  return state;
}

/** @throws Problem 404 where it does not exist, 409 where it is inactive */
export function activeContract(state: ContractState): ExistingContract {
  const existing = existingContract(state);
  if (!existing.is_active) throw new Problem('contracts.inactive');
  return existing;
}

export function decideCreate(
  contract_id: string,
  { titulo, tipo, conteudo, ...requisitos }: NewContract,
): ContractEvent[] {
  const events: ContractEvent[] = [
    { type: 'ContractCreated', data: { contract_id, titulo, tipo, conteudo } },
  ];
  if (Object.keys(changedFields<Requirements>(defaults, requisitos)).length > 0)
    events.push({ type: 'ContractRequirementsSet', data: { contract_id, ...requisitos } });
  return events;
}

/** `isSent`: the last version was sent to somebody, who may have signed it. That version is not changed then. */
export function decideChange(
  state: ContractState,
  { is_active, se_ainda, ...wanted }: ContractChanges,
  isSent: boolean,
): ContractEvent[] {
  const { contract_id, versoes, tipo, requisitos, ...current } = existingContract(state);
  const last = versoes.at(-1)!;
  refuseChanged('O contrato', { ...last, tipo, ...requisitos, is_active: current.is_active }, se_ainda);
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
  const asked = {
    codigo_email: wanted.codigo_email ?? requisitos.codigo_email,
    responsavel: wanted.responsavel ?? requisitos.responsavel,
    lembretes: wanted.lembretes ?? requisitos.lembretes,
  };
  if (Object.keys(changedFields<Requirements>(requisitos, asked)).length > 0)
    events.push({ type: 'ContractRequirementsSet', data: { contract_id, ...asked } });
  if (is_active !== undefined && is_active !== current.is_active)
    events.push({ type: is_active ? 'ContractReactivated' : 'ContractDeactivated', data: { contract_id } });
  return events;
}
