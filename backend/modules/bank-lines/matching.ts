import { differenceInCalendarDays, parseISO } from 'date-fns';
import type { BankLine, Candidate, Certainty, Likeness } from './bank-lines.api.js';

/** A charge of which something is left to pay. */
export interface OpenCharge {
  id: string;
  student_nome: string | null;
  descricao: string | null;
  /** Cents. */
  falta: number;
  vencimento: string;
}

const MOST_CANDIDATES = 3;
const NEAR_DAYS = 5;
const FAR_DAYS = 90;
/** Particles of names say nothing about whose one is. */
const PARTICLES = new Set(['da', 'das', 'de', 'do', 'dos', 'e']);
const order: Record<Certainty, number> = { alta: 0, media: 1, baixa: 2 };

/** Words in small letters without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\da-z]+/)
    .filter((word) => word.length > 1 && !PARTICLES.has(word));

/** How much of a name a text says: the first name and another one, the first alone, or nothing. */
function nameIn(said: ReadonlySet<string>, nome: string | null): Likeness | null {
  const [first, ...others] = wordsOf(nome ?? '');
  if (first === undefined || !said.has(first)) return null;
  return others.some((word) => said.has(word)) ? 'nome' : 'primeiro_nome';
}

function certaintyOf(porque: ReadonlySet<Likeness>): Certainty | null {
  if (porque.has('parte_do_valor')) return porque.has('nome') ? 'baixa' : null;
  if (porque.has('nome')) return 'alta';
  return porque.has('primeiro_nome') || porque.has('data') ? 'media' : 'baixa';
}

/**
 * The charges that money which came in may be for, the likeliest first. The amount must be what is due, or less where the
 * full name is said; the name and a due date nearby make it likelier.
 */
export function candidatesFor(line: BankLine, charges: readonly OpenCharge[]): Candidate[] {
  if (line.valor <= 0) return [];
  const said = new Set(wordsOf(line.texto));
  const day = parseISO(line.data);
  return charges
    .flatMap(({ id, ...charge }) => {
      const distance = Math.abs(differenceInCalendarDays(day, parseISO(charge.vencimento)));
      if (charge.falta < line.valor || distance > FAR_DAYS) return [];
      const name = nameIn(said, charge.student_nome);
      const porque: Likeness[] = [
        charge.falta === line.valor ? 'valor' : 'parte_do_valor',
        ...(name ? [name] : []),
        ...(distance <= NEAR_DAYS ? (['data'] as const) : []),
      ];
      const certeza = certaintyOf(new Set(porque));
      return certeza ? [{ distance, candidate: { charge_id: id, ...charge, certeza, porque } }] : [];
    })
    .sort(
      (a, b) =>
        order[a.candidate.certeza] - order[b.candidate.certeza] ||
        a.distance - b.distance ||
        a.candidate.vencimento.localeCompare(b.candidate.vencimento),
    )
    .slice(0, MOST_CANDIDATES)
    .map(({ candidate }) => candidate);
}
