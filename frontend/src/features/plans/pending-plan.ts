import type { PlanChanges } from '../../../../backend/modules/plans/plans.api.js';
import { formatAmount } from '../../lib/money.js';
import type { Waiting } from '../../lib/outbox.js';

export const planDraft = (id: string): string => `plano.${id}`;

/** The form of an edit that the server refused, with what was typed. */
export function editPlan({ subject, body }: Waiting) {
  const { valor, creditos, validade_dias, descricao, ...rest } = body as PlanChanges;
  return {
    to: `/planos?editar=${subject}`,
    draft: planDraft(subject),
    values: {
      ...rest,
      ...(valor !== undefined && { valor: formatAmount(valor) }),
      ...(creditos !== undefined && { creditos: String(creditos) }),
      ...(validade_dias !== undefined && { validade_dias: String(validade_dias ?? '') }),
      ...(descricao !== undefined && { descricao: descricao ?? '' }),
    },
  };
}
