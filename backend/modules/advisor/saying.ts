import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { ExpenseCategory, PaymentMethod } from '../finance/finance.api.js';
import type { Act } from './advisor.api.js';
import { dayAfter, type Days, daysOf, isWeek, monthsOfDays, weekOf } from './days.js';
import type { Period } from './period.js';

/** A piece of an answer. */
export interface Part {
  content: string;
  /** The page that shows the figure. */
  fonte?: string;
  ato?: Act;
  exemplos?: string[];
}

type Said = string | number | Part | readonly Part[];

/** An answer from a template: adjacent texts are joined, figures stay separate pieces. */
export function say(texts: TemplateStringsArray, ...values: readonly Said[]): Part[] {
  const parts: Part[] = [];
  const add = (part: Part) => {
    const last = parts.at(-1);
    if (last && isPlain(last) && isPlain(part)) last.content += part.content;
    else if (part.content !== '' || !isPlain(part)) parts.push({ ...part });
  };
  texts.forEach((content, n) => {
    add({ content });
    const value = values[n];
    if (value === undefined) return;
    if (typeof value === 'string' || typeof value === 'number') add({ content: String(value) });
    else for (const part of [value].flat()) add(part);
  });
  return parts;
}

const isPlain = ({ fonte, ato, exemplos }: Part): boolean => !fonte && !ato && !exemplos;

export const linked = (content: string, fonte: string): Part => ({ content, fonte });
export const money = (cents: number, fonte: string): Part => linked(brl(cents), fonte);
export const counted = (count: number, one: string, other: string, fonte: string): Part =>
  linked(plural(count, one, other), fonte);

/** `a`, `a e b`, `a, b e c`. */
export const listed = (items: readonly (readonly Part[])[]): Part[] =>
  items.flatMap((item, n) => [
    ...(n === 0 ? [] : [{ content: n === items.length - 1 ? ' e ' : ', ' }]),
    ...item,
  ]);

/** A list with one line for each item. */
export const lines = (items: readonly (readonly Part[])[]): Part[] =>
  items.flatMap((item) => [{ content: '\n• ' }, ...item]);

export const monthNames = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
];

/** `novembro`, or `novembro de 2025` in another year than today's. */
export function monthName(month: string, today: string): string {
  const name = monthNames[Number(month.slice(5)) - 1]!;
  return month.slice(0, 4) === today.slice(0, 4) ? name : `${name} de ${month.slice(0, 4)}`;
}

/** `em novembro`, `de março a maio`, `em 2025`. */
export function inPeriod({ de, ate }: Period, today: string): string {
  if (de === ate) return `em ${monthName(de, today)}`;
  if (de.endsWith('-01') && ate === `${de.slice(0, 4)}-12`) return `em ${de.slice(0, 4)}`;
  const isOneYear = de.slice(0, 4) === ate.slice(0, 4);
  return `de ${isOneYear ? monthNames[Number(de.slice(5)) - 1]! : monthName(de, today)} a ${monthName(ate, today)}`;
}

/** `hoje`, `nesta semana`, `em novembro`, `em 12/11`, `de 15/11 a 21/11`. */
export function onDays(days: Days, today: string): string {
  const { de, ate } = days;
  const isNear = [de, ate].every((date) => date.slice(0, 4) === today.slice(0, 4));
  const named = isNear ? day : shortDate;
  if (de === ate) {
    if (de === today) return 'hoje';
    return de === dayAfter(today) ? 'amanhã' : dayAfter(de) === today ? 'ontem' : `em ${named(de)}`;
  }
  if (de === weekOf(today).de && isWeek(days)) return 'nesta semana';
  const months = monthsOfDays(days);
  return months ? inPeriod(months, today) : `de ${named(de)} a ${named(ate)}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `12,5%` */
export const percent = (value: number): string =>
  `${value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`;

export const figureLink = (month: string, figure: string): string =>
  `/financeiro?mes=${month}&figura=${figure}`;

/** What narrows a figure: the student's id, the payment method or the category. */
interface Narrowed {
  aluno?: string;
  meio?: PaymentMethod;
  categoria?: ExpenseCategory;
}

/** The page with the lines that add up to a figure of some days, or to a part of it. */
export function linesLink({ de, ate }: Days, figure: string, narrowed: Narrowed = {}): string {
  const asked = new URLSearchParams({ mes: ate.slice(0, 7), figura: figure, de, ate, ...narrowed });
  return `/financeiro?${asked.toString()}`;
}
/** The page with the lines that add up to a figure of some days; of one month, the figure of that month. */
export function daysLink(days: Days, figure: string): string {
  const months = monthsOfDays(days);
  return months && months.de === months.ate ? figureLink(months.de, figure) : linesLink(days, figure);
}
/** The page with the lines that add up to a figure of one month or of several. */
export const sumLink = (period: Period, figure: string): string => daysLink(daysOf(period), figure);
export const studentLink = (id: string): string => `/alunos/${id}`;

export const day = (date: string): string => shortDate(date).slice(0, 5);
