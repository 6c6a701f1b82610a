import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { type ChargeTerms, type ChargeTermsChange, noTerms } from './charge-terms.api.js';

/** They hold for charges that are issued from then on. */
export type ChargeTermsEvent = { type: 'ChargeTermsSet'; data: ChargeTerms };

/** The trainer's terms of new charges; the stream's id is the tenant's. */
export const chargeTermsStream: Aggregate<ChargeTerms, ChargeTermsEvent> = {
  name: 'charge-terms',
  initialState: noTerms,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'ChargeTermsSet':
        return data;
    }
  },
  events: { ChargeTermsSet: { schemaVersion: 1 } },
};

export function decideSetTerms(
  state: ChargeTerms,
  { se_ainda, ...wanted }: ChargeTermsChange,
): ChargeTermsEvent[] {
  refuseChanged('Multa, juros e desconto', state, se_ainda);
  const isSame = Object.keys(changedFields(state, wanted)).length === 0;
  return isSame ? [] : [{ type: 'ChargeTermsSet', data: wanted }];
}

/** What a charge gets of them; null if it changes neither before nor after its due date. */
export function termsFor(state: ChargeTerms, origem: string): ChargeTerms | null {
  const { multa, juros, desconto_valor, desconto_percentual } = state;
  const isOff = multa + juros + desconto_valor + desconto_percentual === 0;
  // A fee for a late cancellation is a penalty already.
  return isOff || origem === 'taxa' ? null : state;
}
