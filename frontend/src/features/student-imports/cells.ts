import { cpf } from '../../../../backend/modules/students/cpf.api.js';
import type { OpeningCredits } from '../../../../backend/modules/student-imports/student-imports.api.js';
import { toE164 } from '../../../../backend/modules/students/phone.api.js';
import { parseDate, type Day } from '../../lib/dates.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';

/** The phone numbers in a cell, as E.164; one without area code gets `ddd`. */
export const phonesOf = (cell: string, ddd: string): string[] =>
  cell.split(/[/;,|\n]| ou |:::/).flatMap((part) => {
    // Of a number that a spreadsheet has rounded (1,19877E+10), digits are missing.
    if (/\dE\+?\d/i.test(part)) return [];
    const bare = part.replace(/\D/g, '');
    const found = toE164(part) ?? (ddd && /^\d{8,9}$/.test(bare) ? toE164(`${ddd}${bare}`) : null);
    return found ?? [];
  });

/** The e-mail addresses in a cell. */
export const emailsOf = (cell: string): string[] =>
  cell.split(/[\s;,|]+|:::/).filter((part) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(part));

/** Day 0 of Excel's dates. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** A date in a cell: 31/12/2026, 31/12/26, 31-12-2026, 2026-12-31, or Excel's number. Null for any other text. */
export function dayOfCell(cell: string): Day | null {
  const text = cell.trim().replace(/[ T]\d\d?:\d\d.*$/, '');
  if (/^[1-9]\d{4}$/.test(text))
    return new Date(EXCEL_EPOCH + Number(text) * DAY_MS).toISOString().slice(0, 10);
  const [, year, month, date] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text) ?? [];
  if (year) return parseDate(`${date!.padStart(2, '0')}/${month!.padStart(2, '0')}/${year}`);
  const [, d, m, y] = /^(\d\d?)[/.-](\d\d?)[/.-](\d{2}|\d{4})$/.exec(text) ?? [];
  return d ? parseDate(`${d.padStart(2, '0')}/${m!.padStart(2, '0')}/${y!.padStart(4, '20')}`) : null;
}

/** A birth date in a cell; a future year of two digits is taken as one of the last century. */
export function birthOfCell(cell: string, today: Day): Day | null {
  const day = dayOfCell(cell);
  const isShort = day !== null && !cell.includes(day.slice(0, 4)) && /\D\d\d$/.test(cell.trim());
  return isShort && day >= today ? `19${day.slice(2)}` : day;
}

/** The digits of a CPF in a cell, with leading zeros that sheets drop from numbers. Null for any other text. */
export function cpfOf(cell: string): string | null {
  const typed = cell.trim();
  return cpf.safeParse(/^\d{9,10}$/.test(typed) ? typed.padStart(11, '0') : typed).data ?? null;
}

/** The tags in a cell, without the groups that every Google account has, such as `* myContacts`. */
export const tagsOf = (cell: string): string[] =>
  cell
    .split(/[,;|\n]|:::/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && !tag.startsWith('* '));

/** Credits in a cell, also in the export's format: `8`, `8 créditos`, `8 até 31/12/2026 + 2`. Null for any other text. */
export function creditsOf(cell: string, validade: string): OpeningCredits[] | null {
  if (cell.trim() === '') return [];
  const until = validade.trim() === '' ? null : dayOfCell(validade);
  if (validade.trim() !== '' && until === null) return null;
  const lots: OpeningCredits[] = [];
  for (const part of cell.split('+')) {
    const [, count, end] =
      /^(\d{1,4})(?:[.,]0+)?(?: ?(?:creditos?|aulas?|sessoes))?(?: ate (\S+))?$/.exec(searchable(part)) ?? [];
    const day = end === undefined ? until : dayOfCell(end);
    if (count === undefined || (end !== undefined && day === null)) return null;
    if (Number(count) > 0) lots.push({ quantidade: Number(count), expira_em: day });
  }
  return lots;
}

/** The status in a cell; `'excluido'` for a student who is removed according to the export. */
export function standingOf(cell: string): 'ativo' | 'inativo' | 'excluido' {
  const text = searchable(cell);
  if (text.startsWith('exclu')) return 'excluido';
  return /^(inativ|arquiv|nao$|n$|cancel|false|parado|desistiu)/.test(text) ? 'inativo' : 'ativo';
}
