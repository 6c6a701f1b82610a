import type { HistoryWords } from '../../platform/event-store/history.js';
import type { CancellationPolicySet } from './cancellation-policy.js';

type Data = CancellationPolicySet['data'];

function costs(queima_credito: boolean, taxa_percent: number, hours: number): string {
  const each = [queima_credito && 'desconta 1 crédito', taxa_percent > 0 && `cobra taxa de ${taxa_percent}%`];
  const after = each.filter(Boolean).join(' e ');
  return after === '' ? 'sem custo' : `até ${hours} h antes sem custo; depois, ${after}`;
}

export const policyHistory: HistoryWords<CancellationPolicySet> = {
  CancellationPolicySet: {
    subjects: ({ location_id }: Data) => [`policy:${location_id}`, `location:${location_id}`],
    words: ({ cancel_limite_horas, taxa_percent, queima_credito }: Data) =>
      `Definiu a política de cancelamento: ${costs(queima_credito, taxa_percent, cancel_limite_horas)}`,
  },
};
