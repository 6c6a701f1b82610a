import { expect } from '@jest/globals';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { DebtorPage, Receivables } from '../../backend/modules/charges/receivables.api.js';
import { daysOf } from '../../backend/modules/advisor/days.js';

import type {
  Figure,
  FigureLines,
  FigurePart,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import type { Client } from '../support/client.js';

/** All lines that a figure of a month opens into. */
export const linesOf = (api: Client, month: string, figura: Figure) =>
  allLines(api, { figura, ...daysOf({ de: month, ate: month }) });

/** All lines that a figure opens into, page by page; their sum, and the totals that the pages gave. */
export async function allLines(api: Client, part: FigurePart) {
  const items: FigureLines['items'] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const query = { ...part, limit: 7, ...(cursor && { cursor }) };
    const { body } = await api.get<FigureLines>('/finance/lines', { query });
    items.push(...body.items);
    totals.add(body.total);
    cursor = body.next ?? undefined;
  }
  return { items, totals: [...totals], sum: items.reduce((sum, { valor }) => sum + valor, 0) };
}

export async function expectMonthToAddUp(api: Client, month: string): Promise<MonthSummary> {
  const summary = (await api.get<MonthSummary>(`/finance/months/${month}`)).body;
  const { recebido, despesas, lucro, previsto, ainda_entra, alocacoes } = summary;
  const figures = { recebido, despesas, lucro, previsto, ainda_entra, ...alocacoes };
  for (const [figura, value] of Object.entries(figures)) {
    const { items, totals, sum } = await linesOf(api, month, figura as Figure);
    expect([figura, sum, totals]).toEqual([figura, value, [value]]);
    expect(new Set(items.map(({ origem, id }) => `${origem} ${id}`)).size).toBe(items.length);
    expect(items.every(({ data }) => data.startsWith(month))).toBe(true);
  }
  // The other figures are computed from these.
  const receitas = (await linesOf(api, month, 'recebido')).items;
  const count = receitas.reduce((sum, { estorno }) => sum + (estorno ? -1 : 1), 0);
  expect(summary.receitas).toBe(count);
  expect(summary.ticket_medio).toBe(count === 0 ? null : Math.round(recebido / count));
  expect(summary.aderencia).toBe(Math.round((recebido * 1000) / summary.meta) / 10);
  expect(summary.reserva_sugerida).toBe(Math.round(recebido / 5));
  return summary;
}

export async function expectYearToAddUp(api: Client, ano: string): Promise<void> {
  const { meses } = (await api.get<YearSummary>(`/finance/years/${ano}`)).body;
  expect(meses).toHaveLength(12);
  for (const { mes, ...figures } of meses)
    for (const [figura, value] of Object.entries(figures))
      expect([mes, figura, (await linesOf(api, mes, figura as Figure)).sum]).toEqual([mes, figura, value]);
}

/** Returns the number of entries in the month's history. */
export async function expectHistoryToAddUp(api: Client, month: string): Promise<number> {
  const items: TransactionPage['items'] = [];
  let total: TransactionPage['total'];
  let cursor: string | undefined;
  do {
    const query = { month, limit: 100, ...(cursor && { cursor }) };
    const { body } = await api.get<TransactionPage>('/transactions', { query });
    items.push(...body.items);
    total ??= body.total;
    cursor = body.next ?? undefined;
  } while (cursor);
  const sum = (tipo: string) =>
    items.reduce((all, entry) => all + (entry.tipo === tipo ? entry.valor : 0), 0);
  const [receitas, despesas] = [sum('receita'), sum('despesa')];
  expect(total).toEqual({ quantidade: items.length, receitas, despesas, saldo: receitas - despesas });
  return items.length;
}

/** `ages`: first and last due date of each age by its name. Returns the number of open charges. */
export async function expectReceivablesToAddUp(
  api: Client,
  ages: readonly [name: string, from: string, to: string][],
): Promise<number> {
  const items: ChargePage['items'] = [];
  let total: ChargePage['total'];
  let cursor: string | undefined;
  do {
    const query = { situacao: 'a_receber', limit: 100, ...(cursor && { cursor }) };
    const { body } = await api.get<ChargePage>('/charges', { query });
    items.push(...body.items);
    total ??= body.total;
    cursor = body.next ?? undefined;
  } while (cursor);
  const left = (from: string, to: string) =>
    items
      .filter(({ vencimento }) => vencimento >= from && vencimento <= to)
      .reduce((sum, { falta }) => sum + falta, 0);
  const { falta, vencido, faixas } = (await api.get<Receivables>('/receivables')).body;
  const all = left('', '9');
  expect([falta, total!.falta, total!.quantidade]).toEqual([all, all, items.length]);
  expect(vencido).toBe(left('', ages.find(([name]) => name === 'ate_7')![2]));
  expect(faixas.map((age) => [age.faixa, age.falta])).toEqual(
    ages.map(([name, from, to]) => [name, left(from, to)]),
  );
  const debtors: DebtorPage['items'] = [];
  do {
    const { body } = await api.get<DebtorPage>('/receivables/students', {
      query: { limit: 100, ...(cursor && { cursor }) },
    });
    debtors.push(...body.items);
    cursor = body.next ?? undefined;
  } while (cursor);
  expect(new Set(debtors.map(({ id }) => id))).toEqual(new Set(items.map(({ student_id }) => student_id)));
  for (const { id, falta: owed } of debtors) {
    const own = items.filter(({ student_id }) => student_id === id);
    expect(owed).toBe(own.reduce((sum, charge) => sum + charge.falta, 0));
  }
  return items.length;
}
