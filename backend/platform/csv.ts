import { setImmediate as nextTurn } from 'node:timers/promises';
import { TZDate } from '@date-fns/tz';
import { type CastingContext, type Options, stringify } from 'csv-stringify/sync';
import { format } from 'date-fns';
import { shortDate } from './portuguese.js';
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Columns that hold cents; they are written in reais. */
const AMOUNTS = new Set(['valor', 'Valor', 'taxa', 'pago', 'mensalidade']);

/** Rows that are written before other work of the event loop gets a turn. */
const AT_ONCE = 20;

/**
 * Characters that may end a row or a cell: a line break alone, which the library does not quote, a tab, and a comma
 * before a formula, since some programs read tabs and commas as separators too.
 */
const SEPARATORS = /[\t\r\n]|,\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A calendar date as the API writes it. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** One of the parts that a cell lists: a word, or a kind or day with its amount or channel. */
type Part =
  | string
  | { tipo?: string; data?: string; dia?: string; valor?: number; canal?: string; estornado?: boolean };

const reais = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');

function partInWords(part: Part): string {
  if (typeof part === 'string') return part;
  const { tipo, data, dia, valor, canal, estornado } = part;
  const day = data ?? dia;
  const words = [
    tipo ?? (day && shortDate(day)),
    valor === undefined ? canal : reais(valor),
    estornado && 'estornado',
  ];
  return words.filter(Boolean).join(' ');
}

/**
 * Rows as CSV that spreadsheets in Brazil open: semicolons, a byte order mark for UTF-8, amounts in reais, days as 26/11/2026, times
 * in the zone of the business. No cell is a formula (ASVS 1.2.10). With `columns`, the header is written even without rows.
 */
export async function* csvOf<Column extends string>(
  rows: AsyncIterable<object & Partial<Record<Column, unknown>>>,
  timezone: string,
  columns?: readonly Column[],
): AsyncGenerator<string> {
  const options: Options = {
    delimiter: ';',
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      // Without quotes, the text after the separator would be a cell of its own, and could be a formula.
      string: (value: string) =>
        DAY.test(value) ? shortDate(value) : SEPARATORS.test(value) ? { value, quoted: true } : value,
      number: (value: number, { column }: CastingContext) =>
        AMOUNTS.has(String(column)) ? reais(value) : String(value),
      boolean: (value: boolean) => (value ? 'sim' : 'não'),
      date: (value: Date) => format(new TZDate(value, timezone), 'dd/MM/yyyy HH:mm'),
      object: (value: object) => (value as Part[]).map(partInWords).join(', '),
    },
  };
  let written = 0;
  for await (const row of rows) {
    const isFirst = written === 0;
    yield stringify([row], { ...options, header: isFirst, bom: isFirst });
    written += 1;
    if (written % AT_ONCE === 0) await nextTurn();
  }
  if (written === 0 && columns)
    yield stringify([], { ...options, columns: [...columns], header: true, bom: true });
}

export const CSV_MEDIA = 'text/csv';

/** A CSV download, streamed while it is written. */
export const csvFile = (name: string, content: AsyncIterable<string> | Iterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(content, { objectMode: false }), {
    type: `${CSV_MEDIA}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
