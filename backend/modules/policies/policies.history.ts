import type { HistoryWords } from '../../platform/event-store/history.js';
import type { CancellationPolicySet } from './cancellation-policy.js';

type Data = CancellationPolicySet['data'];

export const policyHistory: HistoryWords<CancellationPolicySet> = {
  CancellationPolicySet: {
    subjects: ({ location_id }: Data) => [`policy:${location_id}`, `location:${location_id}`],
    words: ({ cancel_limite_horas, taxa_percent, queima_credito }: Data) =>
      `Definiu a política de cancelamento: até ${cancel_limite_horas} h antes sem custo; depois, ` +
      `cobra taxa de ${taxa_percent}% e ${queima_credito ? 'desconta 1 crédito' : 'não desconta crédito'}`,
  },
};
