import type { ExpenseCategory } from '../finance/finance.api.js';
import { plain } from './text.js';

const CATEGORIES: [RegExp, ExpenseCategory][] = [
  [
    /\b(gasolina|combustivel|etanol|uber|taxi|onibus|metro|estacionamento|transporte|pedagio)\b/,
    'transporte',
  ],
  [/\baluguel\b/, 'aluguel'],
  [/\bacademia\b/, 'academia'],
  [/\b(material|equipament\w*|elastic\w*|halter\w*|colchonete\w*|anilha\w*)\b/, 'equipamentos'],
  [/\b(curso|congresso|certificacao)\b/, 'cursos'],
  [/\b(anuncio|divulgacao|instagram|propaganda|panfleto\w*)\b/, 'divulgacao'],
  [/\b(impostos?|(o|de|do) das|carne leao)\b/, 'impostos'],
];
/** Other expenses, without a category of their own. */
const OTHERS =
  /\b(conta de (luz|agua)|internet|celular|mercado|farmacia|almoco|lanche|cafe|contador|uniforme|camisetas?|manutencao)\b/;

export const categoryOf = (message: string): ExpenseCategory | null =>
  CATEGORIES.find(([words]) => words.test(plain(message)))?.[1] ?? null;

/** Whether a message names what trainers spend money on. */
export const isExpense = (message: string): boolean =>
  categoryOf(message) !== null || OTHERS.test(plain(message));
