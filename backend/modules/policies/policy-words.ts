import type { PolicyTerms } from './policies.api.js';

/** "até 24 h antes sem custo; depois, desconta 1 crédito e cobra taxa de 50%" */
export function termsInWords({ queima_credito, taxa_percent, cancel_limite_horas }: PolicyTerms): string {
  const each = [queima_credito && 'desconta 1 crédito', taxa_percent > 0 && `cobra taxa de ${taxa_percent}%`];
  const after = each.filter(Boolean).join(' e ');
  return after === '' ? 'sem custo' : `até ${cancel_limite_horas} h antes sem custo; depois, ${after}`;
}
