import { addDays, format, parseISO } from 'date-fns';
import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import {
  type ChargeTerms,
  type ChargeTermsChange,
  noTerms,
  type OpenCharge,
  owedOn,
  type PaymentParts,
} from './charge-terms.api.js';

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

const percent = (hundredths: number) => `${(hundredths / 100).toLocaleString('pt-BR')}%`;

export function termsInWords(terms: ChargeTerms): string {
  const { multa, juros, carencia_dias, desconto_valor, desconto_percentual, desconto_dias } = terms;
  const discount = desconto_valor > 0 ? brl(desconto_valor) : percent(desconto_percentual);
  const parts = [
    multa > 0 && `multa de ${percent(multa)}`,
    juros > 0 && `juros de ${percent(juros)} ao mês`,
    multa + juros > 0 && carencia_dias > 0 && `carência de ${plural(carencia_dias, 'dia', 'dias')}`,
    (desconto_valor > 0 || desconto_percentual > 0) &&
      `desconto de ${discount} até ${desconto_dias === 0 ? 'o vencimento' : `${plural(desconto_dias, 'dia', 'dias')} antes`}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'sem multa, juros nem desconto';
}

/** `, com multa de R$ 3,00 e juros de R$ 0,75`; what was not recorded then is nothing. */
export function partsInWords({
  multa,
  juros,
  desconto,
  dispensado,
}: {
  [Part in keyof PaymentParts]?: number | null;
}): string {
  const named = [
    multa ? `multa de ${brl(multa)}` : '',
    juros ? `juros de ${brl(juros)}` : '',
    desconto ? `desconto de ${brl(desconto)}` : '',
  ].filter(Boolean);
  const waived = dispensado ? `, sem ${brl(dispensado)} de multa e juros` : '';
  return `${named.length > 0 ? `, com ${named.join(' e ')}` : ''}${waived}`;
}

const daysFrom = (date: string, days: number) => format(addDays(parseISO(date), days), 'yyyy-MM-dd');

/** Until when an open charge has its discount, and what comes after its due date: what its payer has to know ahead of it. */
export function aheadInWords(charge: OpenCharge, today: string): string[] {
  const { termos, vencimento, falta } = charge;
  if (!termos || falta <= 0) return [];
  const { carencia_dias, desconto_dias } = termos;
  const last = daysFrom(vencimento, carencia_dias);
  const late = { ...termos, carencia_dias: 0, desconto_valor: 0, desconto_percentual: 0 };
  return [
    owedOn(charge, today).desconto > 0 &&
      `O desconto vale até ${shortDate(daysFrom(vencimento, -desconto_dias))}.`,
    today <= last && late.multa + late.juros > 0 && `Depois de ${shortDate(last)}: ${termsInWords(late)}.`,
  ].filter((words) => words !== false);
}
