import type { Colour } from '../../platform/colours.api.js';
import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type NewService, ONLINE_NOT_ON_PAGE, type ServiceChanges } from './services.api.js';

/** `nome` is null once the trainer is forgotten: a service's name is free text and may name people. */
export interface ServiceFields {
  nome: string | null;
  duracao_min: number;
  /** Cents of a single one; null: what a credit of the student's plan is worth. */
  valor: number | null;
  /** Whether it takes one of the student's credits. */
  usa_credito: boolean;
  cor: Colour;
  /** Ids of locations; null: at all. */
  locais: string[] | null;
  /** The address of an online meeting. */
  endereco: string | null;
  na_pagina: boolean;
  para_alunos: boolean;
}

/** What a session keeps of its service, as it was when it was booked: later changes of the service do not change it. */
export interface Agreed {
  service_id: string;
  valor: number | null;
  usa_credito: boolean;
  /** The address of its meeting, if it is held online. */
  endereco?: string | null | undefined;
}

export type ServiceEvent =
  | { type: 'ServiceCreated'; data: { service_id: string } & ServiceFields }
  /** Only what changed. */
  | { type: 'ServiceUpdated'; data: { service_id: string } & Partial<ServiceFields> }
  | { type: 'ServiceDeactivated'; data: { service_id: string } }
  | { type: 'ServiceReactivated'; data: { service_id: string } }
  | { type: 'ServiceRemoved'; data: { service_id: string } }
  | { type: 'ServiceRestored'; data: { service_id: string } };

export type ServiceState =
  | { status: 'unknown' }
  | ({ status: 'existing' | 'removed'; service_id: string; is_active: boolean } & ServiceFields);
export type ExistingService = Exclude<ServiceState, { status: 'unknown' }>;

const personal: PersonalFields<Partial<ServiceFields>> = {
  person: (_data, tenantId) => tenantId,
  fields: ['nome', 'endereco'],
};

export const service: Aggregate<ServiceState, ServiceEvent> = {
  name: 'service',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'ServiceCreated') return { status: 'existing', is_active: true, ...data };
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'ServiceUpdated':
        return { ...state, ...data };
      case 'ServiceDeactivated':
        return { ...state, is_active: false };
      case 'ServiceReactivated':
        return { ...state, is_active: true };
      case 'ServiceRemoved':
        return { ...state, status: 'removed' };
      case 'ServiceRestored':
        return { ...state, status: 'existing' };
    }
  },
  events: {
    ServiceCreated: { schemaVersion: 1, personal },
    ServiceUpdated: { schemaVersion: 1, personal },
    ServiceDeactivated: { schemaVersion: 1 },
    ServiceReactivated: { schemaVersion: 1 },
    ServiceRemoved: { schemaVersion: 1 },
    ServiceRestored: { schemaVersion: 1 },
  },
};

/** The service. @throws Problem 404 if it does not exist or was removed */
function existingService(state: ServiceState): ExistingService {
  if (state.status !== 'existing') throw new Problem('services.not_found');
  return state;
}

/** A service that can be booked. @throws Problem 404 if it is missing, 409 if it is inactive; both point at `/service_id` */
export function offeredService(state: ServiceState): ExistingService {
  const refuse = (code: string, detail: string) =>
    new Problem(code, { errors: [{ pointer: '/service_id', detail }] });
  if (state.status !== 'existing') throw refuse('services.not_found', 'Serviço não encontrado');
  if (!state.is_active) throw refuse('services.inactive', 'Serviço inativo');
  return state;
}

/** What somebody may choose to book: a service, or what is booked without one, which has no id. */
export interface Offered {
  id: string | null;
  nome: string | null;
  duracao_min: number;
  /** Cents; null where no price is said. */
  valor: number | null;
  usa_credito: boolean;
  cor: Colour | null;
  /** Ids of locations; null: all. */
  locais: readonly string[] | null;
  /** Null where it takes place at a location. */
  endereco: string | null;
}

/** A service that is offered to visitors or to students; undefined where it is not, any more. */
export function offered(state: ServiceState, whom: 'na_pagina' | 'para_alunos'): Offered | undefined {
  if (state.status !== 'existing' || !state.is_active || !state[whom]) return undefined;
  const { service_id: id, nome, duracao_min, valor, usa_credito, cor, locais, endereco } = state;
  return { id, nome, duracao_min, valor, usa_credito, cor, locais, endereco };
}

/** Whether it takes place at a location. */
export const isHeldAt = ({ locais, endereco }: Offered, place: string): boolean =>
  endereco === null && (locais === null || locais.includes(place));

/** What a session that is booked now agrees to. */
export const agreed = ({
  service_id,
  valor,
  usa_credito,
  endereco,
}: Omit<Agreed, 'endereco'> & Pick<Offered, 'endereco'>): Agreed => ({
  service_id,
  valor,
  usa_credito,
  ...(endereco !== null && { endereco }),
});

/** The same where it was chosen among others. */
export const agreedTo = ({ id, ...terms }: Offered): Agreed | null =>
  id === null ? null : agreed({ service_id: id, ...terms });

export function decideCreate(service_id: string, fields: NewService): ServiceEvent[] {
  return [{ type: 'ServiceCreated', data: { service_id, ...fields } }];
}

export function decideUpdate(
  state: ServiceState,
  { is_active, se_ainda, ...wanted }: ServiceChanges,
): ServiceEvent[] {
  const current = existingService(state);
  refuseChanged<ServiceFields & { is_active: boolean }>('O serviço', current, se_ainda);
  const { service_id } = current;
  const changes = changedFields<ServiceFields>(current, wanted);
  const { locais, endereco, na_pagina } = { ...current, ...changes };
  const refuse = (pointer: string, detail: string) =>
    new Problem('broken_rule', { detail, errors: [{ pointer, detail }] });
  if (locais !== null && endereco !== null) throw refuse('/locais', 'Um serviço online não tem local');
  if (na_pagina && endereco !== null) throw refuse('/na_pagina', ONLINE_NOT_ON_PAGE);
  const events: ServiceEvent[] = [];
  if (Object.keys(changes).length > 0)
    events.push({ type: 'ServiceUpdated', data: { service_id, ...changes } });
  if (is_active !== undefined && is_active !== current.is_active) {
    events.push({ type: is_active ? 'ServiceReactivated' : 'ServiceDeactivated', data: { service_id } });
  }
  return events;
}

/** `inUse`: a session was booked with it. */
export function decideRemove(state: ServiceState, inUse: boolean): ServiceEvent[] {
  const { service_id } = existingService(state);
  if (inUse) throw new Problem('services.in_use');
  return [{ type: 'ServiceRemoved', data: { service_id } }];
}

export function decideRestore(state: ServiceState): ServiceEvent[] {
  if (state.status === 'unknown') throw new Problem('services.not_found');
  return state.status === 'existing'
    ? []
    : [{ type: 'ServiceRestored', data: { service_id: state.service_id } }];
}
