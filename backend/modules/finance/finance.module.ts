import { Module, Controller, Get, Param, Query } from '@nestjs/common';
import type { Feature, OwnData } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { monthAfter } from '../../platform/local-time.js';
import type { Effects } from '../../platform/event-store/effect.js';
import { brl } from '../../platform/portuguese.js';
import { definePrice } from '../audit/price.queries.js';
import { deliveredMonth, type DeliveredMonthState } from './delivered-month.js';
import { DeliveredMonths, noteMonthChanges } from './delivered-months.reaction.js';
import { expectedWhy } from './expected.why.js';
import { financeMonths } from './finance-months.projection.js';
import {
  financeApi,
  financeErrors,
  monthChanges,
  monthChangesQuery,
  type MonthChangesQuery,
  monthParams,
  transactionSheetQuery,
  type TransactionSheetQuery,
} from './finance.api.js';
import {
  ReverseTransaction,
  RecordTransaction,
  CorrectTransaction,
  DeliverMonth,
  NoteMonthChange,
  UndoMonthDelivery,
} from './finance.commands.js';
import { ListFigureLines, SumFigure } from './figure-lines.queries.js';
import { financeHistory } from './finance.history.js';
import { ShowMonth, ShowYear, ListTransactions, GetTransaction, ListAllocations } from './finance.queries.js';
import { transactionWhy } from './finance.why.js';
import { ListMonthChangesHandler, ListMonthChanges } from './month-changes.queries.js';
import { forecastApi } from './forecast.api.js';
import { ShowForecast } from './forecast.queries.js';
import { recurringExpense } from './recurring-expense.js';
import { recurringExpensesApi, recurringExpenseErrors } from './recurring-expenses.api.js';
import {
  AddRecurringExpense,
  SetRecurringExpense,
  EndRecurringExpense,
  RecordRecurringExpense,
} from './recurring-expenses.commands.js';
import { recurringExpenseDays } from './recurring-expenses.job.js';
import { ListRecurringExpenses } from './recurring-expenses.queries.js';
import { transaction, type TransactionEvent } from './transaction.js';
import { WriteTransactionSheet } from './transaction-sheet.queries.js';
import { transactions } from './transactions.projection.js';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/csv.js';
import { Route } from '../../platform/http/route.js';

@Controller()
class FinanceController {
  constructor(private readonly queries: QueryBus) {}

  @Get('transactions/sheet')
  @Route({ summary: 'Baixa o histórico de um mês em CSV', query: transactionSheetQuery, media: CSV_MEDIA })
  async sheet(@Ctx() context: CommandContext, @Query() asked: TransactionSheetQuery) {
    return csvFile(
      `lancamentos-${asked.month}.csv`,
      await this.queries.execute(new WriteTransactionSheet(context, asked)),
    );
  }

  @Get('finance/months/:month/changes')
  @Route({
    summary: 'Mostra o que mudou em um mês desde um momento',
    params: monthParams,
    query: monthChangesQuery,
    answer: monthChanges,
  })
  changes(@Ctx() context: CommandContext, @Param('month') month: string, @Query() list: MonthChangesQuery) {
    return this.queries.execute(new ListMonthChanges(context, month, list));
  }
}

interface RecurringExpenseRow {
  descricao: string | null;
  valor: number;
  metodo_pagamento: string;
  categoria: string | null;
  vence_dia: number;
  desde: string;
  ate: string | null;
  proximo_mes: string;
  ativa: boolean;
}

const recurringExpenses = stateProjection(recurringExpense, {
  name: 'recurring-expenses',
  topic: 'transactions',
  table: 'recurring_expenses',
  evolve(row: RecurringExpenseRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'RecurringExpenseSet': {
        const { expense_id: _id, ...terms } = data;
        return { ...terms, ativa: true };
      }
      case 'RecurringExpenseEnded':
        return row ? { ...row, ativa: false } : null;
      case 'RecurringExpenseRecorded':
        return row ? { ...row, proximo_mes: monthAfter(data.mes) } : null;
    }
  },
});

interface Delivery {
  em: string;
  position: number;
  mudou: boolean;
}

interface DeliveredMonthRow extends Delivery {
  mes: string;
  antes: Delivery[];
}

const deliveredMonths = stateProjection(deliveredMonth, {
  name: 'delivered-months',
  version: 2,
  topic: 'delivered-months',
  table: 'delivered_months',
  evolve(row: DeliveredMonthRow | undefined, { type, data, position, recordedAt }) {
    switch (type) {
      case 'MonthDelivered': {
        // A rebuild has the row as it was written here, live it is as Postgres prints it.
        const written = ({ em, position: at, mudou }: Delivery) => ({
          em: new Date(em).toISOString(),
          position: at,
          mudou,
        });
        const antes = row ? [...row.antes, written(row)] : [];
        return { mes: data.mes, em: recordedAt.toISOString(), position, mudou: false, antes };
      }
      case 'MonthDeliveryUndone': {
        const before = row?.antes.at(-1);
        return row && before ? { mes: row.mes, ...before, antes: row.antes.slice(0, -1) } : null;
      }
      case 'DeliveredMonthChanged':
        return row ? { ...row, mudou: true } : null;
    }
  },
});

const financeOwnData: OwnData = {
  trainer: {
    'despesas-recorrentes': `select id, descricao, valor, metodo_pagamento, categoria, vence_dia, desde, ate, proximo_mes, ativa
      from recurring_expenses order by vence_dia, id`,
    'meses-entregues': 'select mes, em, mudou, antes from delivered_months order by mes',
  },
  sheets: {
    lancamentos: `select t.id, t.tipo, t.data, t.descricao, t.valor, t.metodo_pagamento,
        coalesce(t.student_id, p.student_id) as student_id, a.nome as aluno, p.charge_id, t.categoria,
        t.alocacoes, t.estorno_de, t.estornada_por, t.motivo, t.corrige_id, t.corrigida_por, t.registrada_em
      from transactions t left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join students a on a.tenant_id = t.tenant_id and a.id = coalesce(t.student_id, p.student_id)
      order by t.data, t.registrada_em, t.id`,
  },
};

type Reversed = Extract<TransactionEvent, { type: 'TransactionReversed' }>['data'];

const inWords = (data: string) => `${data.slice(5, 7)}/${data.slice(0, 4)}`;

const financeEffects: Effects = {
  MonthDeliveryUndone: ({ mes }: { mes: string }, state: DeliveredMonthState) => [
    {
      kind: 'delivery',
      quantidade: 1,
      student_id: null,
      texto: () =>
        state.length === 0
          ? `${inWords(mes)} deixa de estar entregue, e o Rende não avisa mais de mudanças nesse mês`
          : `as mudanças de ${inWords(mes)} voltam a contar desde a entrega anterior`,
    },
  ],
  TransactionReversed: ({ transaction_id, student_id, tipo, valor, data }: Reversed) => {
    const month = inWords(data);
    return [
      {
        kind: `${tipo} ${month}`,
        quantidade: valor,
        student_id,
        receita: transaction_id,
        texto: (sum) => `tira ${brl(sum)} ${tipo === 'receita' ? 'do recebido' : 'das despesas'} de ${month}`,
      },
    ];
  },
};

/**
 * Money is dated today or before, in the trainer's zone (`refuseToCome`, in every decision that records an entry, and for
 * receipts): what is to come is a charge or a recurring expense. Only a Pix that a provider reports is never refused; its day is
 * today at the latest.
 *
 * Recurring expenses (`recurring-expense` in `finance`) are recorded by the same rule (`platform/local-time.ts`): the stream stores
 * the next month that is due, and the entry's id follows from expense and month, so each month is recorded once, on its day at
 * 6:00.
 *
 * "Como estava em": months, years, lines, entries, receivables, credits and the other parts of a student's page take a moment (`at`),
 * and then answer what was known at it. `PastTables` folds the log up to that position with the projections of today into rows in
 * memory, and runs the
 * statement of today on these rows instead of the tables (common table expressions of the same names), so the past has no rules of
 * its own; a projection in SQL says its tables as selects over its events (`asOf`), and the totals of months are sums of the entries
 * (`past-figures.ts`). The fold is done in portions, as a report (one at a time for
 * each tenant), and texts are only decrypted where they are shown; forgotten people have no names in the past either. Days are
 * counted in the zone of today. `finance/months/{month}/changes` lists what was recorded since, with who, when and why. A test
 * compares a random history with what the reads answered while it was made.
 *
 * A month can be marked as handed to the accountant (`delivered-month`), again after it changed, and that be undone. Its summary then
 * says how many entries were recorded since and what they are worth; `DeliveredMonthChanged`, recorded by a reaction for the first
 * entry after each delivery, is what the notification follows from.
 *
 * "Do previsto ao recebido" (`forecast.ts`): what was predicted is what the forecast of today answers as of a moment, for the
 * page the month's first. Each of its lines, and each charge and entry that was paid in the month, is compared with what came of it, and each cent
 * of the difference gets one reason, so the reasons add up. A charge that was predicted explains itself: what was paid of it in
 * other months, refunded, discounted, cancelled (with its session: vacation, absence, or otherwise) or is still open. A monthly
 * plan is its charge of that month; without one, its student was paused, or the agreement ended. Money that was not predicted
 * is late from, or early for, other months, or of what was charged since: of new students first, else by what the charge is for.
 *
 * Why previsto is what it is (`expected.why.ts`): charges as they were issued and monthly plans as they were agreed, and what was
 * taken from them (pauses, discounts, refunds), add up to it, each a chain of its own.
 *
 * Every figure of a month opens the list of its entries (`figure-lines.queries.ts`), each of which leads to what it comes from,
 * and whose sum the database computes independently of the summaries. Correcting an entry reverses it and records another in one
 * command; both refer to each other.
 */
@Module(
  together(
    serve(financeApi, {
      reverse: ReverseTransaction,
      reversePrice: definePrice<[string]>('PriceReverseTransaction', ReverseTransaction, (id) => [
        id,
        { motivo: '' },
      ]),
      month: ShowMonth,
      deliver: DeliverMonth,
      undoDelivery: UndoMonthDelivery,
      undoDeliveryPrice: definePrice<[string]>('PriceUndoDelivery', UndoMonthDelivery),
      year: ShowYear,
      list: ListTransactions,
      get: GetTransaction,
      record: RecordTransaction,
      correct: CorrectTransaction,
      allocations: ListAllocations,
      lines: ListFigureLines,
    }),
    serve(forecastApi, { show: ShowForecast }),
    serve(recurringExpensesApi, {
      list: ListRecurringExpenses,
      add: AddRecurringExpense,
      set: SetRecurringExpense,
      end: EndRecurringExpense,
    }),
    {
      controllers: [FinanceController],
      providers: [
        ListMonthChangesHandler,
        SumFigure.Handler,
        WriteTransactionSheet.Handler,
        recurringExpenseDays.Handler,
        RecordRecurringExpense.Handler,
        DeliveredMonths,
        NoteMonthChange.Handler,
      ],
    },
  ),
)
export class FinanceModule {
  static readonly feature: Feature = {
    aggregates: [transaction, recurringExpense, deliveredMonth],
    projections: [transactions, financeMonths, recurringExpenses, deliveredMonths],
    history: financeHistory,
    effects: financeEffects,
    why: { transaction: transactionWhy, expected: expectedWhy },
    ownData: financeOwnData,
    errors: { ...financeErrors, ...recurringExpenseErrors },
    jobs: [recurringExpenseDays],
    reactions: [noteMonthChanges],
  };
}
