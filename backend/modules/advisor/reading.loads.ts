import type { Query, QueryBus } from '@nestjs/cqrs';
import type { RequestContext } from '../../platform/event-store/context.js';
import { ListSessions } from '../agenda/agenda.queries.js';
import { habitsOf, LATEST } from '../agenda/habits.api.js';
import { CountSessionDays } from '../agenda/session-days.queries.js';
import { ListCharges } from '../charges/charges.queries.js';
import { ListDebtors, ShowReceivables } from '../charges/receivables.queries.js';
import { ShowMonth } from '../finance/finance.queries.js';
import { SumFigure } from '../finance/figure-lines.queries.js';
import type { Figure, FigurePart, MonthSummary } from '../finance/finance.api.js';
import { ListOwedSessions } from '../owed-sessions/owed-sessions.queries.js';
import { type Ranked, type RankedBy, RankStudents } from './advisor.queries.js';
import type { Usual } from './acts.js';
import { type Days, dayAfter } from './days.js';
import type { DaySums, Months } from './months-answers.js';
import type { Ranking } from './people-answers.js';
import { monthsOf, type Period } from './period.js';

/** Months that are read at the same time: a tenant's limit of concurrent reads. */
const AT_ONCE = 3;
const MOST_CHARGES = 20;
const MOST_DEBTORS = 50;

/** Queries for one question, under row security. They stop when the answer is aborted. */
export class Reading {
  constructor(
    private readonly queries: QueryBus,
    readonly context: RequestContext,
    /** Calendar date in the tenant's zone. */
    readonly today: string,
    readonly signal: AbortSignal,
  ) {}

  async read<Answer>(query: Query<Answer>): Promise<Answer> {
    this.signal.throwIfAborted();
    return this.queries.execute(query);
  }

  async months(period: Period): Promise<Months> {
    const asked = monthsOf(period);
    const months: MonthSummary[] = [];
    for (let n = 0; n < asked.length; n += AT_ONCE) {
      const some = asked.slice(n, n + AT_ONCE).map((month) => this.read(new ShowMonth(this.context, month)));
      months.push(...(await Promise.all(some)));
    }
    return { period, months, today: this.today };
  }

  /** The sums of these figures over some days. */
  async sums<Figures extends Figure>(days: Days, figures: readonly Figures[]): Promise<DaySums<Figures>> {
    const sums: Partial<Record<Figures, number>> = {};
    for (const figura of figures) sums[figura] = await this.sum({ figura, ...days });
    return { days, today: this.today, sums: sums as Record<Figures, number> };
  }

  sum(part: FigurePart): Promise<number> {
    return this.read(new SumFigure(this.context, part));
  }

  rank(by: RankedBy, asked?: Ranked): Promise<Ranking> {
    return this.read(new RankStudents(this.context, by, asked));
  }

  /** The open amounts, and the students who owe them. */
  receivables() {
    return Promise.all([
      this.read(new ShowReceivables(this.context)),
      this.read(new ListDebtors(this.context, { limit: MOST_DEBTORS })),
    ]);
  }

  /** What is paid and still to be given. */
  async owedSessions() {
    const asked = { month: this.today.slice(0, 7), limit: 1 };
    return (await this.read(new ListOwedSessions(this.context, asked))).total;
  }

  openCharges(studentId: string) {
    return this.read(
      new ListCharges(this.context, { student_id: studentId, situacao: 'a_receber', limit: MOST_CHARGES }),
    );
  }

  async usual(studentId: string): Promise<Usual> {
    const list = { student_id: studentId, ordem: 'recentes' as const, limit: LATEST };
    const { items } = await this.read(new ListSessions(this.context, list));
    const { location_id, minutes } = habitsOf(items);
    const at = items.find((one) => one.location_id === location_id);
    return { minutes, location_id, location_nome: at?.location_nome ?? null };
  }

  async sessionDays({ de, ate }: Days) {
    const asked = { from: de, to: dayAfter(ate), primeiras: 0 };
    return (await this.read(new CountSessionDays(this.context, asked))).items;
  }
}
