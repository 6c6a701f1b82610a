import type { Aggregate } from '../../platform/event-store/aggregate.js';

export interface GeneralTermsEvent {
  type: 'GeneralTermsAccepted';
  data: { versao: string };
}

interface GeneralTermsState {
  /** The last accepted version. */
  versao: string | null;
}

/** The stream's id is the tenant's. */
export const generalTerms: Aggregate<GeneralTermsState, GeneralTermsEvent> = {
  name: 'general-terms',
  initialState: { versao: null },
  evolve(_state, { type, data }) {
    switch (type) {
      case 'GeneralTermsAccepted':
        return { versao: data.versao };
    }
  },
  events: { GeneralTermsAccepted: { schemaVersion: 1 } },
};

/** No event if the version was already accepted. */
export const decideAccept = (state: GeneralTermsState, versao: string): GeneralTermsEvent[] =>
  state.versao === versao ? [] : [{ type: 'GeneralTermsAccepted', data: { versao } }];
