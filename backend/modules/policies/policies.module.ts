import { Module } from '@nestjs/common';
import { sql } from 'kysely';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { pageOf } from '../../platform/http/cursor.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { existingLocation, location } from '../locations/location.js';
import {
  policiesApi,
  type PolicyChange,
  defaultPolicy,
  type PolicyList,
  type PolicyPage,
} from './policies.api.js';
import {
  cancellationPolicy,
  type CancellationPolicySet,
  decideSet,
  termsInWords,
} from './cancellation-policy.js';

const ListPolicies = defineQuery(
  'ListPolicies',
  async ({ read }, { cursor, limit }: PolicyList): Promise<PolicyPage> => {
    const rows = await read(byLocation({ cursor, limit: limit + 1 }));
    return pageOf(rows, limit, (row) => ({
      location_id: row.id,
      location_nome: row.nome ?? 'Local sem nome',
      cancel_limite_horas: row.cancel_limite_horas ?? defaultPolicy.cancel_limite_horas,
      taxa_percent: row.taxa_percent ?? defaultPolicy.taxa_percent,
      queima_credito: row.queima_credito ?? defaultPolicy.queima_credito,
      padrao: row.own === null,
    }));
  },
);

const byLocation = statement(
  (db, { cursor, limit }: Blanks<{ cursor?: string | undefined; limit: number }>) =>
    db
      .selectFrom('locations as l')
      .leftJoin('policies as p', (join) => sameTenant(join, 'p.id', 'l.id'))
      .select([
        'l.id',
        'l.nome',
        'p.id as own',
        'p.cancel_limite_horas',
        'p.taxa_percent',
        'p.queima_credito',
      ])
      .where('l.status', '=', 'existing')
      .$if(cursor !== undefined, (locations) =>
        locations.where(
          sql<boolean>`(l.busca, l.id) > (select busca, id from locations where id = ${cursor!})`,
        ),
      )
      .orderBy('l.busca')
      .orderBy('l.id')
      .limit(limit)
      .compile(),
);

const policyHistory: HistoryWords<CancellationPolicySet> = {
  CancellationPolicySet: {
    subjects: ({ location_id }) => [`policy:${location_id}`, `location:${location_id}`],
    words: (data) => `Definiu a política de cancelamento: ${termsInWords(data)}`,
  },
};

const SetCancellationPolicy = defineCommand(
  'SetCancellationPolicy',
  async (tx, locationId: string, wanted: PolicyChange) => {
    const [place, policy] = await Promise.all([
      tx.load(location, locationId),
      tx.load(cancellationPolicy, locationId),
    ]);
    existingLocation(place);
    tx.append(cancellationPolicy, locationId, decideSet(policy, locationId, wanted));
    return { id: locationId };
  },
);

@Module(serve(policiesApi, { list: ListPolicies, set: SetCancellationPolicy }))
export class PoliciesModule {
  static readonly feature: Feature = {
    aggregates: [cancellationPolicy],
    // By the id of their location; locations with the default policy have no row.
    projections: [
      stateProjection(cancellationPolicy, { name: 'policies', topic: 'policies', table: 'policies' }),
    ],
    history: policyHistory,
    ownData: {
      trainer: {
        politicas: `select p.id as location_id, l.nome as local, p.cancel_limite_horas, p.taxa_percent, p.queima_credito
          from policies p left join locations l on l.tenant_id = p.tenant_id and l.id = p.id order by p.id`,
      },
    },
  };
}
