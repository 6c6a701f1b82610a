import type { PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';
import type { Waiting } from '../../lib/outbox.js';

export const policyDraft = (locationId: string): string => `politica.${locationId}`;

/** The form of an edit that the server refused, with what was typed. */
export function editPolicy({ subject, body }: Waiting) {
  const { cancel_limite_horas, taxa_percent, queima_credito } = body as PolicyTerms;
  return {
    to: `/ajustes/politicas?editar=${subject}`,
    draft: policyDraft(subject),
    values: {
      cancel_limite_horas: String(cancel_limite_horas),
      taxa_percent: String(taxa_percent),
      queima_credito,
    },
  };
}
