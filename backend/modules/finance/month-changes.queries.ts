import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { PastTables, type Tables } from '../../platform/projections/past-tables.js';
import { type HistoryPlace, ShowHistoryPlaces } from '../audit/history.queries.js';
import { differences, subjectOf } from './expected-differences.js';
import { expectedLines, sumOf } from './figure-lines.queries.js';
import type { ChangedLine, MonthChanges, MonthChangesQuery } from './finance.api.js';
import { lastDayOf, monthOf } from './month.js';
import { linesOf } from './past-figures.js';

const place = z.tuple([z.int()]);
/** Lines of previsto in an answer. */
const MOST_LINES = 100;

/** Events by which a line of previsto comes, goes or gets another amount. */
const MOVERS = {
  cobranca: ['ChargeIssued', 'ChargeChanged', 'ChargeCancelled', 'ChargeRestored', 'ChargeRefunded'],
  mensalidade: [
    'MonthlyPlanSet',
    'MonthlyPlanEnded',
    'MonthlyPlanBilled',
    'StudentRegistered',
    'StudentUpdated',
    'StudentArchived',
    'StudentRemoved',
    'StudentRestored',
    'StudentPaused',
    'StudentResumed',
  ],
};

/** What changed in a month since a moment: its figures then and now, and the lines that make the difference. */
export class ListMonthChanges extends Query<MonthChanges> {
  constructor(
    readonly context: RequestContext,
    readonly month: string,
    readonly list: MonthChangesQuery,
  ) {
    super();
  }
}

@QueryHandler(ListMonthChanges)
export class ListMonthChangesHandler implements IQueryHandler<ListMonthChanges> {
  constructor(
    private readonly database: Database,
    private readonly past: PastTables,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {}

  async execute({ context, month, list }: ListMonthChanges): Promise<MonthChanges> {
    const { at, limit, cursor } = list;
    const after = await this.past.positionAt(context.tenantId, at);
    const asked = { first: `${month}-01`, after, limit: limit + 1 };
    const before = cursor === undefined ? undefined : decodeCursor(place, cursor)[0];
    const found = await this.database.read(context.tenantId, recordedAfter({ ...asked, before }));
    const shown = found.slice(0, limit);
    const entries = await this.explained(
      context,
      shown.map(({ position, ...line }) => [line, { subject: `transaction:${line.id}`, position }]),
    );
    const next = found.length > limit ? encodeCursor([shown.at(-1)!.position]) : null;
    const moved = cursor === undefined ? await this.figures(context, month, at, after) : undefined;
    return { at, items: entries, next, valores: moved?.valores ?? null, previsto: moved?.previsto ?? null };
  }

  private async figures(context: RequestContext, month: string, at: string, after: number) {
    const wanted = linesOf(`${month}-01`, lastDayOf(month));
    const then = await this.past.at(context.tenantId, at, wanted);
    const now = await this.past.at(context.tenantId, undefined, wanted);
    const [antes, agora] = await Promise.all([then, now].map((tables) => monthAt(tables, context, month)));
    const pair = (figure: 'recebido' | 'despesas' | 'previsto') => ({
      antes: antes![figure],
      agora: agora![figure],
    });
    const changed = differences(antes!.lines, agora!.lines);
    const shown = changed.slice(0, MOST_LINES);
    const rest = changed.slice(MOST_LINES);
    const places = await this.database.read(
      context.tenantId,
      lastMoves({ subjects: shown.map(subjectOf), types: Object.values(MOVERS).flat(), after }),
    );
    const items = await this.explained(
      context,
      shown.map((line) => [line, places.find(({ subject }) => subject === subjectOf(line))]),
    );
    return {
      valores: { recebido: pair('recebido'), despesas: pair('despesas'), previsto: pair('previsto') },
      previsto: {
        items,
        resto: { quantidade: rest.length, valor: rest.reduce((sum, { valor }) => sum + valor, 0) },
      },
    };
  }

  private async explained(
    context: RequestContext,
    lines: readonly [line: Omit<ChangedLine, 'mudanca'>, place: HistoryPlace | undefined][],
  ): Promise<ChangedLine[]> {
    const places = lines.flatMap(([, found]) => found ?? []);
    const words = await this.queries.execute(new ShowHistoryPlaces(context, places));
    return lines.map(([line, found]) => ({ ...line, mudanca: (found && words.get(found.position)) ?? null }));
  }
}

async function monthAt({ now, read }: Tables, { timezone }: RequestContext, month: string) {
  const asked = { de: `${month}-01`, ate: lastDayOf(month), current: `${monthOf(now, timezone)}-01` };
  const [[recebido], [despesas], lines] = await Promise.all([
    read(sumOf.recebido(asked)),
    read(sumOf.despesas(asked)),
    read(expectedLines(asked)),
  ]);
  const previsto = lines.reduce((sum, { valor }) => sum + valor, 0);
  return { recebido: recebido!.total, despesas: despesas!.total, previsto, lines };
}

interface AskedEntries {
  first: string;
  after: number;
  /** Position of the last entry of the previous page. */
  before?: number | undefined;
  limit: number;
}

/** The month's entries that were recorded after a position, with theirs, newest first. */
const recordedAfter = statement((db, { first, after, before, limit }: Blanks<AskedEntries>) =>
  sql<Omit<ChangedLine, 'mudanca'> & { position: number }>`
    select t.id, 'lancamento' as origem, t.descricao as titulo, s.nome as aluno, t.estorno_de is not null as estorno,
      t.data, t.valor, case t.tipo when 'receita' then 'recebido' else 'despesas' end as figura, h.position
    from transactions t
    left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
    left join students s on s.tenant_id = t.tenant_id and s.id = case when t.student_id is null then c.student_id else t.student_id end
    cross join lateral (
      select position from history where subject = 'transaction:' || t.id and position > ${after}::bigint
        and case when t.estorno_de is null then type = 'TransactionRecorded' and data ->> 'transaction_id' = t.id::text
          else type = 'TransactionReversed' and data ->> 'estorno_id' = t.id::text end
      limit 1
    ) h
    where t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date
      ${before === undefined ? sql`` : sql`and h.position < ${before}::bigint`}
    order by h.position desc limit ${limit}::bigint`.compile(db),
);

/** The last of these events about each subject after a position. */
const lastMoves = statement(
  (db, { subjects, types, after }: Blanks<{ subjects: string[]; types: string[]; after: number }>) =>
    sql<HistoryPlace>`select distinct on (subject) subject, position from history
      where subject = any(${subjects}::text[]) and type = any(${types}::text[]) and position > ${after}::bigint
      order by subject, position desc`.compile(db),
);
