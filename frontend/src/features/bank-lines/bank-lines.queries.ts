import type {
  BankLine,
  ComparedLine,
  ComparedLines,
  LineEntry,
  LineLeft,
  LineRefund,
  LineSettlement,
  LineSplit,
  LineSplitDone,
} from '../../../../backend/modules/bank-lines/bank-lines.api.js';
import type { Charge, ChargePage, PaymentDone } from '../../../../backend/modules/charges/charges.api.js';
import { type TransactionReversal, UNDONE } from '../../../../backend/modules/finance/finance.api.js';
import { newKey, useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const LINES = reads('bank-lines', ['charges', 'transactions', 'students']);
const CHARGES = reads('bank-line-charges', ['charges', 'students']);
const OPEN_PAGE = 20;
/** A line may settle a charge, which grants its credits and settles its session. */
const topics = ['bank-lines', 'charges', 'transactions', 'months', 'students', 'credits', 'sessions'];
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
    const { items } = await http.post<ComparedLines>('/bank-lines/compare', newKey(), { linhas });
    return {
      items: items.map((item, at) => ({ ...item, line: linhas[at]! })),
      next: from + PAGE < lines.length ? String(from + PAGE) : null,
    };
  });
}

export function useSettleByLine() {
  return useCommand({
    send: (body: LineSettlement, key) => http.post<PaymentDone>('/bank-lines/settle', key, body),
    topics,
  });
}

/** Open charges, earliest due date first, of which one line may pay several. */
export function useOpenCharges() {
  return usePaged<Charge, ChargePage>([CHARGES], (cursor, signal) =>
    http.get<ChargePage>('/charges', { situacao: 'a_receber', limit: OPEN_PAGE, cursor }, signal),
  );
}

export function useSplitLine() {
  return useCommand({
    send: (body: LineSplit, key) => http.post<LineSplitDone>('/bank-lines/split', key, body),
    topics,
  });
}

export function useRecordLine() {
  return useCommand({
    send: (body: LineEntry, key) => http.post<{ id: string }>('/bank-lines/record', key, body),
    topics,
  });
}

export function useRefundByLine() {
  return useCommand({
    send: (body: LineRefund, key) => http.post<{ id: string }>('/bank-lines/refund', key, body),
    topics,
  });
}

export function useLeaveLine() {
  return useCommand({
    send: (body: LineLeft, key) => http.post<{ id: string }>('/bank-lines/leave', key, body),
    topics,
  });
}

export function useReopenLine() {
  return useCommand({
    send: (chave: string, key) => http.post<{ id: string }>('/bank-lines/reopen', key, { chave }),
    topics,
  });
}

/** Undoes all payments of a line together. */
export function useUndoPayments() {
  return useCommand({
    send: (chave: string, key) => http.post<{ id: string }>('/bank-lines/undo-payments', key, { chave }),
    topics,
  });
}

/** Undoes the entry of a line. */
export function useUndoEntry() {
  return useCommand({
    send: (id: string, key) =>
      http.post<{ id: string }>(`/transactions/${id}/reverse`, key, {
        motivo: UNDONE,
      } satisfies TransactionReversal),
    topics,
  });
}
