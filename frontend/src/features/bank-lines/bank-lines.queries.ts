import type { BankLine, ComparedLine } from '../../../../backend/modules/bank-lines/bank-lines.api.js';
import type { Charge, ChargePage } from '../../../../backend/modules/charges/charges.api.js';
import { type TransactionReversal, UNDONE } from '../../../../backend/modules/finance/finance.api.js';
import { read, write } from '../../lib/calls.js';
import { newKey, useCommand } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const LINES = reads('bank-lines', ['charges', 'transactions', 'students']);
const CHARGES = reads('bank-line-charges', ['charges', 'students']);
const OPEN_PAGE = 20;
/** Large pages, because every change compares all shown lines again. */
const PAGE = 100;

export interface ShownLine extends ComparedLine {
  line: BankLine;
}

/** The lines of a file, compared page by page with charges and transactions. `name` identifies one reading of a file. */
export function useComparedLines(name: string, lines: readonly BankLine[]) {
  return usePaged<ShownLine, { items: ShownLine[]; next: string | null }>([LINES, name], async (cursor) => {
    const from = Number(cursor ?? 0);
    const says = ({ data, valor }: BankLine) => `${data} ${valor}`;
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(says(line), (counts.get(says(line)) ?? 0) + 1);
    const linhas = lines
      .slice(from, from + PAGE)
      .map((line) => ({ ...line, iguais: counts.get(says(line))! }));
    const { items } = await write('POST /bank-lines/compare', newKey(), { body: { linhas } });
    return {
      items: items.map((item, at) => ({ ...item, line: linhas[at]! })),
      next: from + PAGE < lines.length ? String(from + PAGE) : null,
    };
  });
}

/** Open charges, earliest due date first, of which one line may pay several. */
export function useOpenCharges() {
  return usePaged<Charge, ChargePage>([CHARGES], (cursor, signal) =>
    read('GET /charges', { query: { situacao: 'a_receber', limit: OPEN_PAGE, cursor }, signal }),
  );
}

/** Undoes the entry of a line. */
export function useUndoEntry() {
  return useCommand({
    send: (id: string, key) =>
      write('POST /transactions/:id/reverse', key, {
        of: [id],
        body: {
          motivo: UNDONE,
        } satisfies TransactionReversal,
      }),
  });
}
