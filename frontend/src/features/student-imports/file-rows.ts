import csv from 'papaparse';
import { CONTACT_HEADER, contactsOf } from './contacts.js';
import { TooLarge, UnreadableFile } from './unreadable-file.js';
import { firstSheet } from './workbook.js';

/** Allowance for title rows above a sheet's header. */
const OTHER_ROWS = 20;
const MOST_COLUMNS = 200;
/** More than any field may have. */
const LONGEST_CELL = 10_000;
/** A text that many cells of a sheet share is in the file once, and in the rows many times. */
const MOST_LETTERS = 20_000_000;

export interface FileRows {
  rows: string[][];
  /** The file is an address book, from which the students have to be chosen. */
  areContacts: boolean;
}

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

/**
 * Reads a sheet (.xlsx), a text with separators (.csv, .tsv, .txt) or contacts (.vcf), by its content. @throws UnreadableFile
 */
export async function rowsOf(bytes: Uint8Array, mostRows: number): Promise<FileRows> {
  const { rows, areContacts } = await allRowsOf(bytes);
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw new UnreadableFile('O arquivo está vazio.');
  if (filled.length > mostRows + OTHER_ROWS)
    throw new UnreadableFile(
      `O arquivo tem ${filled.length.toLocaleString('pt-BR')} linhas. Importe até ${mostRows.toLocaleString('pt-BR')} por vez.`,
    );
  let letters = 0;
  for (const row of filled) {
    if (row.length > MOST_COLUMNS) throw new TooLarge();
    for (const cell of row) letters += Math.min(cell.length, LONGEST_CELL);
  }
  if (letters > MOST_LETTERS) throw new TooLarge();
  return { rows: filled.map((row) => row.map((cell) => cell.slice(0, LONGEST_CELL))), areContacts };
}

async function allRowsOf(bytes: Uint8Array): Promise<FileRows> {
  if (startsWith(bytes, 0x50, 0x4b)) return { rows: await sheetRows(bytes), areContacts: false };
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFile(
      'Esta planilha é do formato antigo (.xls). Salve como .xlsx ou .csv e envie de novo.',
    );
  const text = decoded(bytes);
  if (text.includes('\0'))
    throw new UnreadableFile(
      'Não reconhecemos este arquivo. Envie uma planilha (.xlsx ou .csv) ou contatos (.vcf).',
    );
  if (/^\s*BEGIN:VCARD/i.test(text))
    return { rows: [CONTACT_HEADER, ...contactsOf(text)], areContacts: true };
  const { data } = csv.parse<string[]>(text.replace(/^sep=.\r?\n/i, ''), {
    delimitersToGuess: [';', ',', '\t', '|'],
    skipEmptyLines: 'greedy',
  });
  return { rows: data.map((row) => row.map(unescaped)), areContacts: false };
}

/** Decodes UTF-8 and UTF-16, otherwise Windows-1252. */
function decoded(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Removes the apostrophe with which exports prevent that a text becomes a formula. */
const unescaped = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r])/, '');

async function sheetRows(bytes: Uint8Array): Promise<string[][]> {
  try {
    return (await firstSheet(bytes)).map((row) => row.map(cellText));
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new UnreadableFile('Não foi possível ler a planilha. Salve de novo como .xlsx ou .csv e envie.');
  }
}

/** A cell's text. Dates are at midnight UTC; numbers are rounded to two decimals, as sheets show them. */
function cellText(cell: unknown): string {
  if (typeof cell === 'number') return String(Math.round(cell * 100) / 100);
  if (cell instanceof Date) return cell.toISOString().slice(0, 10).split('-').reverse().join('/');
  if (typeof cell === 'boolean') return cell ? 'sim' : 'não';
  return typeof cell === 'string' ? cell : '';
}
