import { toAscii } from '../../platform/plain-letters.api.js';
import { shortDate } from '../../platform/portuguese.js';
import type { ExpenseCategory } from '../finance/finance.api.js';

/**
 * The layout of the Receita Federal ("Formato do arquivo de Escrituração" in the manual of the Carnê-Leão, and its model files):
 * semicolons without quotes, no titles, empty fields at the end of a line left out. Texts are in plain ASCII, which is the same in
 * whatever encoding they are read.
 */

/** The most lines that one file may have. */
export const MOST_WEB_LINES = 1000;
const MOST_HISTORY = 255;

/** Trabalho não assalariado. */
const INCOME = 'R01.001.001';
/** Profissional da educação física (exceto professor). */
const OCCUPATION = '224';
/** Aluguel do escritório/consultório. */
const RENT = 'P10.01.00002';

/**
 * Accounts of the standard plan for expenses that the cash book deducts: what is paid for the place of work. The plan has none for
 * other deductible expenses, and a category such as taxes has deductible and other ones.
 */
const ACCOUNTS: Partial<Record<ExpenseCategory, string>> = { aluguel: RENT, academia: RENT };
export const DEDUCTIBLE = Object.keys(ACCOUNTS) as ExpenseCategory[];

export interface WebIncome {
  data: string;
  /** Cents. */
  valor: number;
  descricao: string | null;
  /** Who paid by the receipt, null for the student's payer; with CPF or CNPJ. */
  pagador: string | null;
  documento: string | null;
  /** Who had the lessons. */
  aluno: string | null;
}

export interface WebExpense extends Pick<WebIncome, 'data' | 'valor' | 'descricao'> {
  categoria: ExpenseCategory;
}

const reais = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');

/** Without separators and quotes, and not a formula where the file is opened in a sheet. */
const history = (text: string | null, missing: string): string =>
  toAscii((text ?? '').replace(/[;"\s]+/g, ' '))
    .replace(/^[=+\-@\s]+/, '')
    .slice(0, MOST_HISTORY)
    .trim() || missing;

const lineOf = (fields: readonly string[]): string => fields.join(';').replace(/;+$/, '');

const isSame = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && toAscii(one).toLowerCase() === toAscii(other).toLowerCase();

export function incomeLine({ data, valor, descricao, pagador, documento, aluno }: WebIncome): string {
  const common = [
    shortDate(data),
    INCOME,
    OCCUPATION,
    reais(valor),
    '',
    history(descricao, 'Servico prestado'),
  ];
  if (documento?.length === 14) return lineOf([...common, 'PJ', '', '', '', documento, 'N', '']);
  // The CPF of the beneficiary is known only where that is the payer.
  const beneficiary = documento && isSame(pagador, aluno) ? documento : '';
  return lineOf([...common, 'PF', documento ?? '', beneficiary, beneficiary ? '' : 'S', '', '', '']);
}

export const expenseLine = ({ data, valor, descricao, categoria }: WebExpense): string =>
  lineOf([shortDate(data), ACCOUNTS[categoria]!, reais(valor), history(descricao, 'Despesa'), '', '', '']);
