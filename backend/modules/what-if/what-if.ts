import { plural } from '../../platform/plural.api.js';
import { brl, firstName } from '../../platform/portuguese.js';
import type { Outcome, WhatIf } from './what-if.api.js';

/** What would be different for a student in a month. */
export interface Difference {
  student_id: string;
  nome: string | null;
  /** First day of the month. */
  mes: string;
  /** In cents: more if positive. */
  valor: number;
  quantidade: number;
}

/** A time, and how a sentence about its differences begins and goes on. */
export interface Window {
  de: string;
  ate: string;
  /** "Com R$ 620,00, os últimos 90 dias teriam dado R$ 380,00 a mais". */
  words: (sum: number, count: number) => string;
  /** The whole sentence where nothing would be different. */
  nothing: string;
  /** Whether the sentence names whom it touches. */
  names?: boolean;
}

/** Students in an answer, and names in a sentence. */
const MOST = 100;
const NAMED = 3;

/** "R$ 380,00 a mais". */
export const moreOrLess = (valor: number): string =>
  `${brl(Math.abs(valor))} a ${valor < 0 ? 'menos' : 'mais'}`;

interface Whom {
  id: string;
  nome: string | null;
  valor: number;
  quantidade: number;
}

/** Whom they touch, the largest difference first. */
export function byStudent(lines: readonly Difference[]): Whom[] {
  const found = new Map<string, Whom>();
  for (const { student_id: id, nome, valor, quantidade } of lines) {
    const known = found.get(id) ?? { id, nome, valor: 0, quantidade: 0 };
    found.set(id, { ...known, valor: known.valor + valor, quantidade: known.quantidade + quantidade });
  }
  return [...found.values()].sort(
    (one, other) =>
      Math.abs(other.valor) - Math.abs(one.valor) ||
      other.quantidade - one.quantidade ||
      (one.id < other.id ? -1 : 1),
  );
}

/** "Ana, Caio e Davi", "Ana, Caio, Davi e mais 2". */
export function namesOf(whom: readonly { nome: string | null }[]): string {
  const names = whom
    .slice(0, NAMED)
    .map(({ nome }) => (nome === null ? 'um aluno apagado' : firstName(nome)));
  if (whom.length > NAMED) names.push(`mais ${whom.length - NAMED}`);
  return new Intl.ListFormat('pt-BR').format(names);
}

/** "3 alunos: Ana, Caio e Davi". */
export const inWords = (whom: readonly { nome: string | null }[]): string =>
  `${plural(whom.length, 'aluno', 'alunos')}: ${namesOf(whom)}`;

/** What these differences are together, by month and in a sentence. */
function outcome(lines: readonly Difference[], { de, ate, words, nothing, names = true }: Window): Outcome {
  const sum = (of: readonly Difference[]) => of.reduce((total, { valor }) => total + valor, 0);
  const count = (of: readonly Difference[]) => of.reduce((total, { quantidade }) => total + quantidade, 0);
  const [valor, quantidade] = [sum(lines), count(lines)];
  const meses = [...new Set(lines.map(({ mes }) => mes))].sort().map((mes) => {
    const its = lines.filter((line) => line.mes === mes);
    return { mes, valor: sum(its), quantidade: count(its) };
  });
  const whom = names ? `, de ${inWords(byStudent(lines))}` : '';
  const texto = lines.length === 0 ? nothing : `${words(valor, quantidade)}${whom}.`;
  return { de, ate, valor, quantidade, texto, meses };
}

/** The answer: what would have been, what would be, and whom it touches. */
export function whatIfOf(
  past: { lines: readonly Difference[]; window: Window } | null,
  future: { lines: readonly Difference[]; window: Window } | null,
  notas: readonly (string | false)[],
): WhatIf {
  const all = byStudent([...(past?.lines ?? []), ...(future?.lines ?? [])]);
  return {
    passado: past && outcome(past.lines, past.window),
    futuro: future && outcome(future.lines, future.window),
    alunos: all.slice(0, MOST),
    resto: Math.max(0, all.length - MOST),
    notas: notas.filter((nota) => nota !== false),
  };
}
