import type { Aggregate } from '../../platform/event-store/aggregate.js';

export interface GeneralTermsEvent {
  type: 'GeneralTermsAccepted';
  data: { versao: string };
}

interface GeneralTermsState {
  /** The version that was agreed to last. */
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

/** A version is agreed to once. */
export const decideAccept = (state: GeneralTermsState, versao: string): GeneralTermsEvent[] =>
  state.versao === versao ? [] : [{ type: 'GeneralTermsAccepted', data: { versao } }];
