import { plainLetters } from '../../platform/plain-letters.api.js';
import type { BankLine, Candidate, Certainty, ComparedLine, Likeness } from './bank-lines.api.js';

/** A charge that is not completely paid. */
export interface OpenCharge {
  id: string;
  student_nome: string | null;
  /** Who pays for the student, if somebody else does. */
  pagador_nome: string | null;
  descricao: string | null;
  /** Cents. */
  falta: number;
  vencimento: string;
  /** What settles it on a day: with fine and interest, or less a discount. */
  totalOn: (day: string) => number;
}

const MOST_CANDIDATES = 3;
const NEAR_DAYS = 5;
const FAR_DAYS = 90;
/** Days between an outgoing line and the record of the refund that it may be. */
export const REFUND_DAYS = 7;
/** Particles of names, which do not identify anybody. */
const PARTICLES = new Set(['da', 'das', 'de', 'do', 'dos', 'e']);
const order: Record<Certainty, number> = { alta: 0, media: 1, baixa: 2 };

/** Words in plain lower case letters, as banks write them. */
const wordsOf = (text: string): string[] =>
  plainLetters(text)
    .toLowerCase()
    .split(/[^\da-z]+/)
    .filter((word) => word.length > 1 && !PARTICLES.has(word));

/** How much of a name a text contains: the first name and another one, only the first one, or nothing. */
function nameIn(said: ReadonlySet<string>, [first, ...others]: readonly string[]): Likeness | null {
  if (first === undefined || !said.has(first)) return null;
  return others.some((word) => said.has(word)) ? 'nome' : 'primeiro_nome';
}

/** Days since 1970 of a calendar date. */
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

function certaintyOf(porque: readonly Likeness[]): Certainty | null {
  if (porque.includes('parte_do_valor')) return porque.includes('nome') ? 'baixa' : null;
  if (porque.includes('nome')) return 'alta';
  return porque.includes('primeiro_nome') || porque.includes('data') ? 'media' : 'baixa';
}

interface Found {
  charge: OpenCharge;
  distance: number;
  certeza: Certainty;
  porque: Likeness[];
}

const likelierFirst = (a: Found, b: Found): number =>
  order[a.certeza] - order[b.certeza] ||
  a.distance - b.distance ||
  a.charge.vencimento.localeCompare(b.charge.vencimento);

/**
 * The charges that an incoming payment may be for, most likely first. The amount must be what is left, with what the day adds or takes, or less if the text has
 * the full name; the name and a near due date make a match more likely. Names of charges are parsed once for all lines.
 */
export function comparing(charges: readonly OpenCharge[]): (line: BankLine) => Candidate[] {
  const read = charges.map((charge) => ({
    charge,
    names: [wordsOf(charge.student_nome ?? ''), wordsOf(charge.pagador_nome ?? '')],
    day: dayNumber(charge.vencimento),
  }));
  return (line) => {
    if (line.valor <= 0) return [];
    const said = new Set(wordsOf(line.texto));
    const lineDay = dayNumber(line.data);
    const best: Found[] = [];
    for (const { charge, names, day } of read) {
      const distance = Math.abs(lineDay - day);
      const total = charge.totalOn(line.data);
      if (Math.max(charge.falta, total) < line.valor || distance > FAR_DAYS) continue;
      const likes = names.map((name) => nameIn(said, name));
      const named = likes.find((like) => like === 'nome') ?? likes.find((like) => like !== null);
      const porque: Likeness[] = [
        charge.falta === line.valor || total === line.valor ? 'valor' : 'parte_do_valor',
        ...(named ? [named] : []),
        ...(distance <= NEAR_DAYS ? (['data'] as const) : []),
      ];
      const certeza = certaintyOf(porque);
      if (!certeza) continue;
      const found = { charge, distance, certeza, porque };
      const place = best.findIndex((other) => likelierFirst(found, other) < 0);
      best.splice(place === -1 ? best.length : place, 0, found);
      if (best.length > MOST_CANDIDATES) best.pop();
    }
    return best.map(
      ({ charge: { id, totalOn: _total, pagador_nome: _payer, ...charge }, certeza, porque }) => ({
        charge_id: id,
        ...charge,
        certeza,
        porque,
      }),
    );
  };
}

export interface KnownStudent {
  id: string;
  nome: string;
  /** Who pays for the student, or the guardian. */
  pagador_nome: string | null;
}

/**
 * The student whose name an incoming line has, or whose payer's; null if several have it. Names of students are parsed once for all
 * lines.
 */
export function namedIn(students: readonly KnownStudent[]): (line: BankLine) => ComparedLine['aluno'] {
  const read = students.map(({ id, nome, pagador_nome }) => ({
    student: { id, nome },
    names: [wordsOf(nome), wordsOf(pagador_nome ?? '')],
  }));
  return ({ valor, texto }) => {
    if (valor <= 0) return null;
    const said = new Set(wordsOf(texto));
    for (const likeness of ['nome', 'primeiro_nome']) {
      const found = read.filter(({ names }) => names.some((name) => nameIn(said, name) === likeness));
      if (found.length > 0) return found.length === 1 ? found[0]!.student : null;
    }
    return null;
  };
}

/** A refund that belongs to no line. */
export interface Refund {
  /** The refunded receita. */
  id: string;
  student_nome: string | null;
  descricao: string | null;
  /** Cents, positive. */
  valor: number;
  /** The day on which it was recorded. */
  dia: string;
}

/** The refund that an outgoing line may be: the nearest one of its amount. */
export function refundedBy({ valor, data }: BankLine, refunds: readonly Refund[]): ComparedLine['devolucao'] {
  const distance = ({ dia }: Refund) => Math.abs(dayNumber(dia) - dayNumber(data));
  const [found] = refunds
    .filter((refund) => refund.valor === -valor && distance(refund) <= REFUND_DAYS)
    .sort((one, other) => distance(one) - distance(other));
  if (!found) return null;
  const { valor: _valor, ...refund } = found;
  return refund;
}
