import { MAX_LINES } from '../../../../backend/modules/student-imports/student-imports.api.js';
import { CONTACT_HEADER, contactsOf } from './contacts.js';
import { unpackedSize } from './unpacked-size.js';

const MEGABYTE = 1_000_000;
const LARGEST_FILE = 10 * MEGABYTE;
const LARGEST_UNPACKED = 60 * MEGABYTE;
/** Allowance for title rows above a sheet's header. */
const OTHER_ROWS = 20;

/** Its message for the user says what to do. */
export class UnreadableFile extends Error {}

export interface FileRows {
  rows: string[][];
  /** The file is an address book, from which the students have to be chosen. */
  areContacts: boolean;
}

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

/** Reads a sheet (.xlsx), a text with separators (.csv, .tsv, .txt) or contacts (.vcf), by its content. */
export async function readFile(file: File): Promise<FileRows> {
  if (file.size > LARGEST_FILE)
    throw new UnreadableFile(
      `O arquivo tem ${Math.round(file.size / MEGABYTE)} MB. Envie um de até ${LARGEST_FILE / MEGABYTE} MB.`,
    );
  const { rows, areContacts } = await rowsOf(new Uint8Array(await file.arrayBuffer()));
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw new UnreadableFile('O arquivo está vazio.');
  if (filled.length > MAX_LINES + OTHER_ROWS)
    throw new UnreadableFile(
      `O arquivo tem ${filled.length.toLocaleString('pt-BR')} linhas. Importe até ${MAX_LINES.toLocaleString('pt-BR')} por vez.`,
    );
  return { rows: filled, areContacts };
}

async function rowsOf(bytes: Uint8Array): Promise<FileRows> {
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
  const { default: csv } = await import('papaparse');
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
  const size = unpackedSize(bytes);
  if (size !== null && size > LARGEST_UNPACKED)
    throw new UnreadableFile('A planilha é grande demais. Deixe nela só a lista de alunos e envie de novo.');
  try {
    const { readSheet } = await import('read-excel-file/browser');
    const rows = await readSheet(new Blob([new Uint8Array(bytes)]));
    return rows.map((row) => row.map(cellText));
  } catch {
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
