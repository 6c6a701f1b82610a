import type { ChangedLine, FigureLine } from './finance.api.js';

/** A line, and whose it is. */
export type OwnLine = FigureLine & { student_id: string | null };

/** The subject of a line of previsto in the history. */
export const subjectOf = ({ origem, id }: Pick<ChangedLine, 'origem' | 'id'>) =>
  `${origem === 'cobranca' ? 'charge' : 'student'}:${id}`;

/** Lines with other amounts, newest due date first. A monthly plan that was charged at its price is still the same money. */
export function differences(
  before: readonly OwnLine[],
  after: readonly OwnLine[],
): Omit<ChangedLine, 'mudanca'>[] {
  const lines = new Map<string, OwnLine>();
  for (const line of after) lines.set(subjectOf(line), line);
  for (const line of before) {
    const now = lines.get(subjectOf(line));
    lines.set(subjectOf(line), { ...(now ?? line), valor: (now?.valor ?? 0) - line.valor });
  }
  const moved = [...lines.values()].filter(({ valor }) => valor !== 0);
  const charged = new Map<string, OwnLine>();
  for (const line of moved)
    if (line.origem === 'cobranca') charged.set(`${line.student_id} ${line.valor}`, line);
  for (const line of moved) {
    const same = `${line.student_id} ${-line.valor}`;
    const charge = line.origem === 'mensalidade' && charged.get(same);
    if (!charge) continue;
    charged.delete(same);
    for (const each of [line, charge]) lines.delete(subjectOf(each));
  }
  return moved
    .filter((line) => lines.has(subjectOf(line)))
    .sort((one, other) => other.data.localeCompare(one.data) || one.id.localeCompare(other.id))
    .map(({ student_id: _student, ...line }) => ({ ...line, figura: 'previsto' }));
}
