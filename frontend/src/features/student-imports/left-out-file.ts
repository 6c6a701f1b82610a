import type { Table } from './columns.js';
import { type PreviewLine, reasonsOf } from './lines.js';

/** A file of these lines as they were, with the reasons in a last column; the import reads it like any other. */
export async function leftOutFile(lines: readonly PreviewLine[], { columns, rows }: Table): Promise<Blob> {
  const { default: csv } = await import('papaparse');
  const text = csv.unparse(
    [
      [...columns.map(({ title }) => title), 'Por que ficou de fora'],
      ...lines.map((line) => [...rows[line.linha - 1]!, reasonsOf(line).join('; ')]),
    ],
    { delimiter: ';', escapeFormulae: true },
  );
  // Excel takes a file for UTF-8 only if it begins with this mark.
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}
