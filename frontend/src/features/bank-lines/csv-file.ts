import {
  centsOf,
  clean,
  dayOfParts,
  isBalance,
  MOST_STATEMENT_LINES,
  type ReadLines,
  UnreadableStatement,
  withKeys,
} from './statement.js';

const MOST_COLUMNS = 40;

/** Parses rows of cells; the delimiter is the most frequent one in the first lines. */
export function readRows(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const head = source.slice(0, 2000);
  const delimiter = [';', ',', '\t', '|'].reduce((best, one) =>
    head.split(one).length > head.split(best).length ? one : best,
  );
  const rows: string[][] = [];
  let row: string[] = [];
  const endRow = () => {
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
    if (rows.length > MOST_STATEMENT_LINES)
      throw new UnreadableStatement('O extrato tem linhas demais: exporte um período menor.');
  };
  for (let at = 0; at <= source.length;) {
    let cell = '';
    // Text after a closing quote belongs to the cell too.
    if (source[at] === '"') [cell, at] = quoted(source, at + 1);
    const from = at;
    while (at < source.length && source[at] !== delimiter && source[at] !== '\n' && source[at] !== '\r')
      at += 1;
    if (row.length < MOST_COLUMNS) row.push(clean(cell + source.slice(from, at)));
    if (source[at] !== delimiter) endRow();
    at += 1;
  }
  return rows;
}

/** The text up to the closing quote, with doubled quotes unescaped, and the index after it. */
function quoted(source: string, from: number): [cell: string, next: number] {
  const parts: string[] = [];
  for (let start = from; ;) {
    const end = source.indexOf('"', start);
    if (end === -1) return [parts.join('') + source.slice(start), source.length];
    parts.push(source.slice(start, end));
    if (source[end + 1] !== '"') return [parts.join(''), end + 1];
    parts.push('"');
    start = end + 2;
  }
}

/** The columns by their content; `saida`: that of outgoing amounts, or the one that marks each amount as incoming or outgoing. */
export interface Columns {
  data: number;
  valor: number;
  texto: number;
  /** A second column of text: the Banco do Brasil has the name in "Detalhes", C6 in "Título". */
  mais: number | null;
  saida: number | null;
}

/** A day as banks write it: `05/11/2026`, `5/11/2026`, `05/11/26`, `2026-11-05`, `20261105`. */
function dayIn(text: string): string | null {
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(text) ?? [];
  if (day && month && year)
    return dayOfParts(year.length === 2 ? `20${year}` : year, month.padStart(2, '0'), day.padStart(2, '0'));
  const [, isoYear, isoMonth, isoDay] =
    /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  return isoYear ? dayOfParts(isoYear, isoMonth!, isoDay!) : null;
}

/** The likeliest first. `Data Lançamento` is a date, not a text. */
const headers: Record<'valor' | 'texto' | 'saida', RegExp[]> = {
  valor: [/^(valor|amount|cr[eé]dito|entrada)/i],
  texto: [/descri/i, /^(?!data|dt).*(hist[oó]rico|lan[cç]amento$|memo|t[ií]tulo|detalhe)/i],
  saida: [/^(d[eé]b|sa[ií]da|d\/c$|natureza|tipo (do |de )?lan[cç]amento)/i],
};

/** Marks of outgoing amounts. */
const WENT = /^(d|d[eé]b(ito)?|sa[ií]da)$/i;

/** Guesses the content of columns by their titles and by most of their cells. */
export function guessColumns(rows: readonly string[][]): Columns {
  const width = Math.max(0, ...rows.slice(0, 50).map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  // A line with a day is not a header, even if its words begin like one.
  const titles = rows.slice(0, 15).filter((row) => row.every((cell) => dayIn(cell) === null));
  const titled = (kind: keyof typeof headers) => {
    const places = headers[kind].flatMap((title) =>
      titles.map((row) => row.findIndex((cell) => title.test(cell))),
    );
    return places.find((column) => column !== -1) ?? null;
  };
  const mostly = (holds: (cell: string) => boolean) => {
    const counts = columns.map((column) => rows.filter((row) => holds(row[column] ?? '')).length);
    const most = Math.max(0, ...counts);
    return most === 0 ? 0 : counts.indexOf(most);
  };
  const texto = titled('texto') ?? mostly((cell) => /\p{L}{3}/u.test(cell));
  const isText = (title: string) =>
    /^(?!data|dt|tipo)/i.test(title) && headers.texto.some((one) => one.test(title));
  const others = titles
    .filter((row) => isText(row[texto] ?? ''))
    .map((row) => row.findIndex((title, column) => column !== texto && isText(title)));
  return {
    data: mostly((cell) => dayIn(cell) !== null),
    valor:
      titled('valor') ??
      mostly((cell) => /[.,]\d{2}(\s?\D|\s?\([-+]\))?$/.test(cell) && centsOf(cell) !== null),
    texto,
    mais: others.find((column) => column !== -1) ?? null,
    saida: titled('saida'),
  };
}

/** The rows with a date and an amount in these columns, so without titles, sums, balances and remarks. */
export function linesOf(rows: readonly string[][], columns: Columns): ReadLines {
  const read = rows.map((row) => {
    const data = dayIn(row[columns.data] ?? '');
    const amount = centsOf(row[columns.valor] ?? '');
    const other = columns.saida === null ? '' : (row[columns.saida] ?? '');
    const went = centsOf(other);
    // Some banks write "Entrada" beside every amount: a sign is right.
    const told = WENT.test(other) && amount !== null ? -Math.abs(amount) : amount;
    const valor = told || (went ? -Math.abs(went) : 0);
    if (!data || !valor) return null;
    const texts = [columns.texto, columns.mais].filter((column) => column !== null).sort((a, b) => a - b);
    const texto = clean([...new Set(texts.map((column) => row[column] ?? ''))].join(' '));
    return { data, valor, texto, name: `csv/${texto}` };
  });
  const entries = read.filter((line) => line !== null);
  const lines = entries.filter((line) => !isBalance(line));
  const [unread, balances] = [read.length - entries.length, entries.length - lines.length];
  return { lines: withKeys(lines), unread, balances };
}
