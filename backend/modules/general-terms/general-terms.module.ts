import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { generalTermsApi, type TermsAcceptance, type ShownTerms } from './general-terms.api.js';
import { decideAccept, generalTerms, type GeneralTermsEvent } from './general-terms.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';

const ShowGeneralTerms = defineQuery('ShowGeneralTerms', async ({ read }): Promise<ShownTerms> => {
  const [row] = await read(own({}));
  return { aceite: row ? { versao: row.versao, em: row.aceito_em.toISOString() } : null };
});

const own = statement((db) => db.selectFrom('general_terms').select(['versao', 'aceito_em']).compile());

interface GeneralTermsRow {
  versao: string;
  aceito_em: string;
}

/** The last accepted version, under the tenant's id. */
const accepted = stateProjection(generalTerms, {
  name: 'general-terms',
  topic: 'general-terms',
  table: 'general_terms',
  evolve(_row: GeneralTermsRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'GeneralTermsAccepted':
        return { ...data, aceito_em: event.recordedAt.toISOString() };
    }
  },
});

/** Shown in the history of the settings. */
const generalTermsHistory: HistoryWords<GeneralTermsEvent> = {
  GeneralTermsAccepted: {
    subjects: (_data: never, tenantId: string) => [`settings:${tenantId}`],
    words: ({ versao }) => `Concordou com as Políticas e Termos Gerais (versão de ${shortDate(versao)})`,
  },
};

const AcceptGeneralTerms = defineCommand('AcceptGeneralTerms', async (tx, { versao }: TermsAcceptance) => {
  const id = tx.context.tenantId;
  tx.append(generalTerms, id, decideAccept(await tx.load(generalTerms, id), versao));
  return { id };
});

@Module(serve(generalTermsApi, { show: ShowGeneralTerms, accept: AcceptGeneralTerms }))
export class GeneralTermsModule {
  static readonly feature: Feature = {
    aggregates: [generalTerms],
    projections: [accepted],
    history: generalTermsHistory,
    ownData: { trainer: { 'termos-gerais': `select versao, aceito_em from general_terms` } },
  };
}
