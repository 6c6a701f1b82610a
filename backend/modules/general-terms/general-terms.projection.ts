import { stateProjection } from '../../platform/projections/projection.js';
import { generalTerms as aggregate } from './general-terms.js';

interface GeneralTermsRow {
  versao: string;
  aceito_em: string;
}

/** The last accepted version, under the tenant's id. */
export const generalTerms = stateProjection(aggregate, {
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
