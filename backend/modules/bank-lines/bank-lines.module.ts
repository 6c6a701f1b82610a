import { Module, Body, Controller, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Feature } from '../../platform/features.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { bankLine, type BankLineEvent } from './bank-line.js';
import {
  bankLinesApi,
  bankLineErrors,
  bankLinesCalls,
  type BankLines,
  type LineName,
} from './bank-lines.api.js';
import {
  SettleByLine,
  SplitLine,
  UndoPayments,
  RecordLine,
  RefundByLine,
  LeaveLine,
  ReopenLine,
} from './bank-lines.commands.js';
import { CompareLines } from './bank-lines.queries.js';
import { LineIds } from './line-ids.service.js';
import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { ChargeEvent } from '../charges/charge.js';
import type { TransactionEvent } from '../finance/transaction.js';

const forget = (transactionId: string, more = ''): Write => [
  `delete from bank_line_entries where tenant_id = $1 and transaction_id = $2 ${more}`,
  transactionId,
];
const stand = (
  transactionId: string,
  line: { line_id: string; data: string; valor: number },
  paysCharge: boolean,
): Write => [
  `insert into bank_line_entries (tenant_id, transaction_id, line_id, data, valor, cobranca)
    values ($1, $2, $3, $4, $5, $6)`,
  transactionId,
  line.line_id,
  line.data,
  line.valor,
  paysCharge,
];

/**
 * The entries as which bank lines were recorded. If an entry is corrected or partly refunded, the line belongs to its
 * replacement; if it is refunded completely, the line stays recorded, because the money did come in. A line of a refund belongs to
 * the reversing entry.
 */
const bankLineEntries = defineGuard<BankLineEvent | TransactionEvent | ChargeEvent>({
  name: 'bank-line-entries',
  tables: ['bank_line_entries'],
  writes: {
    BankLineDecided: (line) =>
      line.transaction_id === null ? [] : [stand(line.transaction_id, line, line.decisao !== 'lancamento')],
    BankLineSplit: (line) => line.partes.map(({ transaction_id }) => stand(transaction_id, line, true)),
    BankLineReopened: ({ line_id }) => [
      ['delete from bank_line_entries where tenant_id = $1 and line_id = $2', line_id],
    ],
    TransactionReversed: ({ transaction_id, corrigida_por }) =>
      corrigida_por === null
        ? [forget(transaction_id, 'and not cobranca')]
        : [
            [
              `insert into bank_line_entries (tenant_id, transaction_id, line_id, data, valor, cobranca)
                select tenant_id, $3, line_id, data, valor, cobranca from bank_line_entries
                where tenant_id = $1 and transaction_id = $2`,
              transaction_id,
              corrigida_por,
            ],
            forget(transaction_id),
          ],
    ChargePaymentReversed: ({ transaction_id }) => [forget(transaction_id)],
  },
  violations: { bank_line_entries_pkey: () => new Problem('bank_lines.refund_taken') },
});

const subject = ({ line_id }: { line_id: string }) => `line:${line_id}`;

const bankLineHistory: HistoryWords<BankLineEvent> = {
  BankLineDecided: {
    subjects: (data) => [
      subject(data),
      ...(data.charge_id === null ? [] : [`charge:${data.charge_id}`]),
      ...(data.student_id === null ? [] : [`student:${data.student_id}`]),
      ...(data.transaction_id === null ? [] : [`transaction:${data.transaction_id}`]),
    ],
    words: ({ decisao, valor, data }) => {
      const line = `a linha do extrato de ${shortDate(data)}, ${brl(Math.abs(valor))}`;
      if (decisao === 'devolucao') return `Reconheceu a devolução n${line}`;
      return decisao === 'fora' ? `Ignorou ${line}` : `Registrou ${line}`;
    },
  },
  BankLineSplit: {
    subjects: (data) => [
      subject(data),
      ...new Set(
        data.partes.flatMap(({ charge_id, student_id, transaction_id }) => [
          `charge:${charge_id}`,
          `student:${student_id}`,
          `transaction:${transaction_id}`,
        ]),
      ),
    ],
    words: ({ valor, data, partes }) =>
      `Dividiu a linha do extrato de ${shortDate(data)}, ${brl(valor)}, entre ${partes.length} cobranças`,
  },
  BankLineReopened: {
    subjects: (data) => [subject(data)],
    words: () => 'Voltou a considerar uma linha do extrato',
  },
};

/** Every action on a line compares all shown lines again. */
const COMPARISONS = { name: 'bank-lines', points: 60, seconds: 60 };

/** Lines of a bank statement, which is read on the device. They are sent in bodies, because paths are stored. */
@Controller()
class BankLinesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ids: LineIds,
    private readonly limits: RateLimits,
  ) {}

  @Serves(bankLinesCalls.compare)
  async compare(
    @Ctx() context: CommandContext,
    @Body() { linhas }: BankLines,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.limits.consume(COMPARISONS, context.tenantId, reply);
    return this.queries.execute(new CompareLines(context, linhas));
  }

  private idOf({ tenantId }: CommandContext, { chave }: LineName): string {
    return this.ids.idOf(tenantId, chave);
  }
}

interface BankLineRow {
  decisao: string;
  valor: number;
  data: string;
  charge_id: string | null;
  transaction_id: string | null;
}

/** The decided lines of bank statements. */
const bankLineRows = stateProjection(bankLine, {
  name: 'bank-lines',
  topic: 'bank-lines',
  table: 'bank_lines',
  evolve(_row: BankLineRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'BankLineDecided': {
        const { decisao, valor, data: day, charge_id, transaction_id } = data;
        return { decisao, valor, data: day, charge_id, transaction_id };
      }
      case 'BankLineSplit': {
        const { valor, data: day } = data;
        return { decisao: 'dividida', valor, data: day, charge_id: null, transaction_id: null };
      }
      case 'BankLineReopened':
        return null;
    }
  },
});

/**
 * Lines of bank statements, and the trainer's decisions about them.
 *
 * Bank statements (OFX, CSV) are parsed in the browser (`features/bank-lines`), in one pass and with limits. Lines are matched
 * with the open charges, students and recorded refunds (`matching.ts`: amount, name, date, with a certainty), and the user
 * decides each by a tap. Balances are left out, and transfers between own accounts stand apart. A line that is a refund belongs
 * to its reversing entry and records nothing more. The id of a line's stream follows from the bank's id of the line and the
 * master key, so that the same line is recorded once, whichever file it comes in; nothing else of the file is stored. Files of
 * different kinds have different ids for the same line. So for one day and amount only as many lines are recorded as the
 * statement has (guard `bank_line_entries`), and more only on request.
 */
@Module(
  together(
    serve(bankLinesApi, {
      settle: SettleByLine,
      split: SplitLine,
      undoPayments: UndoPayments,
      record: RecordLine,
      refund: RefundByLine,
      leave: LeaveLine,
      reopen: ReopenLine,
    }),
    { controllers: [BankLinesController], providers: [LineIds, CompareLines.Handler] },
  ),
)
export class BankLinesModule {
  static readonly feature: Feature = {
    aggregates: [bankLine],
    guards: [bankLineEntries],
    projections: [bankLineRows],
    history: bankLineHistory,
    ownData: {
      trainer: {
        'linhas-do-extrato': `select id, decisao, valor, data, charge_id, transaction_id from bank_lines order by data, id`,
      },
    },
    errors: bankLineErrors,
  };
}
