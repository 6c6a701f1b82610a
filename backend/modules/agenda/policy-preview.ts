import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import type { PolicyTerms } from '../policies/policies.api.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import { cancellationEffect } from './cancellation.js';
import type { PolicyPreview } from './policy-preview.api.js';

/** A session that the student cancelled or missed, as recorded in the log. */
export interface PastCancellation {
  /** First day of the month in which it would have begun, in the tenant's zone. */
  mes: string;
  inicio: string;
  cancelada_em: Date;
  confirmado: boolean;
  motivo: CancellationReason;
  /** Value of the session in cents. */
  valor: number | null;
}

/** What these cancellations would have cost under the terms, by month, the latest first. */
export function replay(past: readonly PastCancellation[], terms: PolicyTerms): PolicyPreview {
  const months = [...new Set(past.map(({ mes }) => mes))].sort().reverse();
  const meses = months.map((mes) => {
    const costs = past
      .filter((each) => each.mes === mes)
      // Only the times count: a cancellation that was in time under the former policy may be late under these terms.
      .map(({ motivo, valor, cancelada_em, ...session }) =>
        cancellationEffect(
          session,
          motivo === 'falta' ? motivo : 'aluno_fora_do_prazo',
          terms,
          valor,
          cancelada_em,
        ),
      );
    const sums = {
      cancelamentos: costs.length,
      creditos: costs.filter(({ usa_credito }) => usa_credito).length,
      taxa: costs.reduce((sum, { taxa }) => sum + (taxa ?? 0), 0),
      sem_valor: costs.filter(({ taxa }) => taxa === null).length,
    };
    return { mes, ...sums, texto: inWords(mes, sums) };
  });
  return { meses };
}

type Month = PolicyPreview['meses'][number];

/** "Com esta regra, 3 cancelamentos de outubro teriam custado 1 crédito e R$ 37,50." */
function inWords(
  mes: string,
  { cancelamentos, creditos, taxa, sem_valor }: Omit<Month, 'mes' | 'texto'>,
): string {
  const month = new Date(`${mes}T12:00:00Z`).toLocaleDateString('pt-BR', { month: 'long', timeZone: 'UTC' });
  const costs = [creditos > 0 && plural(creditos, 'crédito', 'créditos'), taxa > 0 && brl(taxa)];
  const cost = costs.filter(Boolean).join(' e ');
  const would = cancelamentos === 1 ? 'teria custado' : 'teriam custado';
  const said = `Com esta regra, ${plural(cancelamentos, 'cancelamento', 'cancelamentos')} de ${month} ${
    cost ? `${would} ${cost}` : `não ${would} nada`
  }.`;
  if (sem_valor === 0) return said;
  return `${said} A taxa de ${sem_valor} não pode ser calculada: o aluno estava sem plano com créditos.`;
}
