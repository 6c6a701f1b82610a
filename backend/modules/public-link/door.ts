import type { PolicyTerms } from '../policies/policies.api.js';
import type { LinkSettings } from './public-link.api.js';
import type { DoorTerms } from './public-page.api.js';

/** What a booking on the public page costs, and when. Pure functions. */

/** The settings that say so. */
export type DoorSettings = Pick<
  LinkSettings,
  'primeira_aula' | 'antecipado' | 'sinal' | 'espera_min' | 'falta_percent'
>;

interface Around {
  /** There is a key to which a Pix can be paid. */
  temChave: boolean;
  /** A provider tells of payments, so that nobody has to look for them. */
  automatico: boolean;
  /** Of the location. */
  policy: PolicyTerms;
}

/** What the page announces and who books agrees to; null where it asks for nothing. */
export function doorOf(settings: DoorSettings, { temChave, automatico, policy }: Around): DoorTerms | null {
  const { primeira_aula: preco, antecipado, sinal, espera_min, falta_percent } = settings;
  if (!preco) return null;
  const wanted = antecipado === 'sinal' ? Math.min(sinal ?? 0, preco) : antecipado === 'tudo' ? preco : 0;
  const entrada = temChave ? wanted : 0;
  if (entrada === 0 && falta_percent === 0) return null;
  const { cancel_limite_horas: limite_horas, queima_credito, taxa_percent } = policy;
  // Nobody who has not paid owes for a cancellation: a link does not prove who holds it.
  const fora_percent = entrada === 0 ? 0 : queima_credito ? 100 : taxa_percent;
  return {
    preco,
    entrada,
    limite_horas,
    fora_percent,
    // Not to come costs no less than to cancel late.
    falta_percent: Math.max(falta_percent, fora_percent),
    espera_min: entrada > 0 && automatico ? espera_min : null,
  };
}
