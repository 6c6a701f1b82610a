import { wordFor } from '../../platform/plural.api.js';
import type { CancellationCost } from './agenda.api.js';

const verbs = {
  announced: {
    spent: 'desconta 1 crédito',
    kept: 'não devolve o crédito já usado',
    returned: 'devolve 1 crédito',
    missing: 'deixa a sessão a cobrar, porque o aluno está sem créditos',
    both: 'cobra a sessão, porque o aluno está sem créditos, e taxa de',
    fee: 'cobra taxa de',
    nothing: 'não cobra nada',
  },
  /** The texts for the student. */
  own: {
    spent: 'desconta 1 crédito',
    kept: 'não devolve o crédito já usado',
    returned: 'devolve 1 crédito',
    missing: 'deixa a aula para pagar à parte, porque você está sem créditos',
    both: 'cobra a aula, porque você está sem créditos, e taxa de',
    fee: 'cobra taxa de',
    nothing: 'não cobra nada',
  },
  ownDone: {
    spent: 'descontou 1 crédito',
    kept: 'não devolveu o crédito já usado',
    returned: 'devolveu 1 crédito',
    missing: 'deixou a aula para pagar à parte, porque você estava sem créditos',
    both: 'cobrou a aula, porque você estava sem créditos, e taxa de',
    fee: 'cobrou taxa de',
    nothing: 'não cobrou nada',
  },
  done: {
    spent: 'descontou 1 crédito',
    kept: 'não devolveu o crédito já usado',
    returned: 'devolveu 1 crédito',
    missing: 'deixou a sessão a cobrar, porque o aluno está sem créditos',
    both: 'cobrou a sessão, porque o aluno está sem créditos, e taxa de',
    fee: 'cobrou taxa de',
    nothing: 'não cobrou nada',
  },
} as const;

/**
 * The cost of a cancellation in words, the same before it ("announced"; for the student "own") and after it ("done", "ownDone"):
 * "desconta 1 crédito e cobra taxa de R$ 16,67".
 * @param held whether the session had used a credit before
 */
export function costInWords(
  { usou_credito, sem_credito, taxa }: CancellationCost,
  held: boolean,
  tense: keyof typeof verbs,
  money: (cents: number) => string,
): string {
  const { spent, kept, returned, missing, both, fee, nothing } = verbs[tense];
  // One charge for the session and the fee.
  if (sem_credito && taxa > 0) return `${both} ${money(taxa)}`;
  const credit = usou_credito ? (held ? kept : spent) : sem_credito ? missing : held ? returned : null;
  return [credit, taxa > 0 && `${fee} ${money(taxa)}`].filter(Boolean).join(' e ') || nothing;
}

/** "Faltam menos de 24 h", "Falta menos de 1 h". */
export const lessThanHours = (hours: number): string =>
  `${wordFor(hours, 'Falta', 'Faltam')} menos de ${hours} h`;

const HOUR = 3_600_000;

/** How long before a session something was done: "9 h antes". */
export function noticeInWords(inicio: string, em: Date): string {
  const left = Date.parse(inicio) - em.getTime();
  if (left < 0) return 'depois do início';
  return left >= HOUR ? `${Math.floor(left / HOUR)} h antes` : `${Math.floor(left / 60_000)} min antes`;
}
