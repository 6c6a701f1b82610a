import { rowProjection } from '../../platform/projections/projection.js';
import type { GeneralTermsEvent } from './general-terms.js';

interface GeneralTermsRow {
  versao: string;
  aceito_em: string;
}

/** The last accepted version, under the tenant's id. */
export const generalTerms = rowProjection<GeneralTermsRow>({
  name: 'general-terms',
  topic: 'general-terms',
  table: 'general_terms',
  events: ['GeneralTermsAccepted'] satisfies GeneralTermsEvent['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(_row, event) {
    const { type, data } = event as unknown as GeneralTermsEvent;
    switch (type) {
      case 'GeneralTermsAccepted':
        return { ...data, aceito_em: event.recordedAt.toISOString() };
    }
  },
});
