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
import { bankLineEntries } from './bank-line-entries.guard.js';
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

type Decided = Extract<BankLineEvent, { type: 'BankLineDecided' }>['data'];
type Split = Extract<BankLineEvent, { type: 'BankLineSplit' }>['data'];

const subject = ({ line_id }: { line_id: string }) => `line:${line_id}`;

const bankLineHistory: HistoryWords<BankLineEvent> = {
  BankLineDecided: {
    subjects: (data: Decided) => [
      subject(data),
      ...(data.charge_id === null ? [] : [`charge:${data.charge_id}`]),
      ...(data.student_id === null ? [] : [`student:${data.student_id}`]),
      ...(data.transaction_id === null ? [] : [`transaction:${data.transaction_id}`]),
    ],
    words: ({ decisao, valor, data }: Decided) => {
      const line = `a linha do extrato de ${shortDate(data)}, ${brl(Math.abs(valor))}`;
      if (decisao === 'devolucao') return `Reconheceu a devolução n${line}`;
      return decisao === 'fora' ? `Ignorou ${line}` : `Registrou ${line}`;
    },
  },
  BankLineSplit: {
    subjects: (data: Split) => [
      subject(data),
      ...new Set(
        data.partes.flatMap(({ charge_id, student_id, transaction_id }) => [
          `charge:${charge_id}`,
          `student:${student_id}`,
          `transaction:${transaction_id}`,
        ]),
      ),
    ],
    words: ({ valor, data, partes }: Split) =>
      `Dividiu a linha do extrato de ${shortDate(data)}, ${brl(valor)}, entre ${partes.length} cobranças`,
  },
  BankLineReopened: {
    subjects: (data: { line_id: string }) => [subject(data)],
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
