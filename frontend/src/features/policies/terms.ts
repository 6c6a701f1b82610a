import type { PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';

/** "Cancelamento sem custo até 24 h antes. Depois disso, desconta 1 crédito e cobra 50% do valor da sessão." */
export function termsInWords({ cancel_limite_horas, taxa_percent, queima_credito }: PolicyTerms): string {
  const costs = [
    queima_credito ? 'desconta 1 crédito' : null,
    taxa_percent > 0 ? `cobra ${taxa_percent}% do valor da sessão` : null,
  ].filter((cost) => cost !== null);
  if (costs.length === 0) return 'Cancelamento sem custo a qualquer momento.';
  const until = cancel_limite_horas > 0 ? `até ${cancel_limite_horas} h antes` : 'até o início';
  return `Cancelamento sem custo ${until}. Depois disso, ${costs.join(' e ')}.`;
}
