import { Module } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { catalogue } from '../../platform/database/catalogue.js';
import type { Services as StoredService } from '../../platform/database/schema.generated.js';
import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import {
  service,
  type ExistingService,
  type ServiceEvent,
  type ServiceFields,
  type ServiceState,
} from './service.js';
import { serviceErrors, servicesApi, type Service } from './services.api.js';
import { CreateService, RemoveService, RestoreService, UpdateService } from './services.commands.js';

function shown(row: Selectable<StoredService>): Service {
  return {
    id: row.id,
    nome: row.nome,
    duracao_min: row.duracao_min,
    valor: row.valor,
    usa_credito: row.usa_credito,
    cor: row.cor as Service['cor'],
    locais: row.locais as Service['locais'],
    endereco: row.endereco,
    na_pagina: row.na_pagina,
    para_alunos: row.para_alunos,
    is_active: row.is_active,
    criado_em: row.criado_em.toISOString(),
  };
}

const { List, Get } = catalogue('services', { missing: 'services.not_found', shown });

const labels: { [Field in keyof ServiceFields]: (value: ServiceFields[Field]) => string } = {
  nome: (nome) => (nome === null ? 'nome' : `nome (${nome})`),
  duracao_min: (minutes) => `duração (${minutes} min)`,
  valor: (valor) => `valor (${valor === null ? 'o do plano' : brl(valor)})`,
  usa_credito: (uses) => `crédito (${uses ? 'desconta 1' : 'não desconta'})`,
  cor: (cor) => `cor (${cor})`,
  locais: (locais) => `locais (${locais === null ? 'todos' : plural(locais.length, 'local', 'locais')})`,
  endereco: (endereco) => (endereco === null ? 'link da chamada (nenhum)' : 'link da chamada'),
  na_pagina: (is) => `link público (${is ? 'aparece' : 'não aparece'})`,
  para_alunos: (is) => `alunos (${is ? 'podem escolher' : 'não podem escolher'})`,
};

const subjects = ({ service_id }: { service_id: string }) => [`service:${service_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

function changed(changes: Partial<ServiceFields>): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => (label as (value: unknown) => string)(changes[field as keyof ServiceFields]))
    .join(', ');
}

const serviceHistory: HistoryWords<ServiceEvent> = {
  ServiceCreated: {
    subjects,
    words: ({ nome }) => (nome === null ? 'Criou o serviço' : `Criou o serviço ${nome}`),
  },
  ServiceUpdated: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  ServiceDeactivated: said('Inativou o serviço'),
  ServiceReactivated: said('Reativou o serviço'),
  ServiceRemoved: said('Excluiu o serviço'),
  ServiceRestored: said('Desfez a exclusão do serviço'),
};

type ServiceRow = ExistingService & { nome: string; busca: string; criado_em: string };

/** Folded state of each service; removed ones keep their row, so that they can be restored. */
const services = stateProjection(service, {
  name: 'services',
  topic: 'services',
  table: 'services',
  // The times of students follow them.
  everyStudent: 'free-times',
  evolve(row: ServiceRow | undefined, event) {
    const before: ServiceState = row ?? service.initialState;
    const after = service.evolve(before, event);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      nome: after.nome ?? 'Serviço sem nome',
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});

/**
 * What a trainer offers beside the session that is booked without one: how long it takes, what it costs, where it takes place
 * or the address at which it is held, and who may choose it. A session keeps duration, price, credit and address as they were when it was
 * booked; name and colour are those of now.
 */
@Module(
  serve(servicesApi, {
    list: List,
    create: CreateService,
    get: Get,
    update: UpdateService,
    remove: RemoveService,
    restore: RestoreService,
  }),
)
export class ServicesModule {
  static readonly feature: Feature = {
    aggregates: [service],
    projections: [services],
    history: serviceHistory,
    ownData: {
      trainer: {
        servicos: `select id, nome, duracao_min, valor, usa_credito, cor, locais, endereco, na_pagina, para_alunos, is_active,
            status = 'removed' as excluido, criado_em
          from services order by criado_em, id`,
      },
    },
    errors: serviceErrors,
  };
}
