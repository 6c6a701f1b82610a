import { TZDate } from '@date-fns/tz';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { format } from 'date-fns';
import { Clock } from '../../platform/clock.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { ListCharges } from '../charges/charges.queries.js';
import { ListDebtors, ShowReceivables } from '../charges/receivables.queries.js';
import { ListLowCredits } from '../credits/credits.queries.js';
import { ShowMonth } from '../finance/finance.queries.js';
import { monthBefore } from '../finance/month.js';
import { ShowFinancialSettings } from '../settings/settings.queries.js';
import { GetStudent } from '../students/students.queries.js';
import { actAnswer, notFound, whichOne } from './acts.js';
import type { ChatMessage } from './advisor.api.js';
import { ListMissing, ListNames, SumOwedLessons, SumPaidBy } from './advisor.queries.js';
import { daysAnswer, helpAnswer, thanksAnswer, unknownAnswer } from './help.js';
import {
  compareAnswer,
  divisionAnswer,
  extremeAnswer,
  figureAnswer,
  goalAnswer,
  type Months,
  raiseAnswer,
  saveAnswer,
  ticketAnswer,
} from './months-answers.js';
import type { Named } from './names.js';
import {
  creditsAnswer,
  creditsOfAnswer,
  debtorsAnswer,
  missingAnswer,
  owedByAnswer,
  owedLessonsAnswer,
  paidByAnswer,
} from './people-answers.js';
import { monthsOf, type Period } from './period.js';
import { type Part, say } from './saying.js';
import { ACTS, understand, type Understood } from './understand.js';

/** Months that one answer adds up. */
const MOST_MONTHS = 24;
/** "Melhor mês" without a period looks at so many. */
const RECENT_MONTHS = 12;
const MOST_CHARGES = 20;

interface Asking {
  context: RequestContext;
  today: string;
}

/** Answers common questions about the tenant's figures by itself; what it does not understand it does not answer. */
/** What is read of a conversation: reading takes the time of words × words. */
const MOST_QUESTIONS = 6;
const LONGEST_QUESTION = 1000;

@Injectable()
export class BuiltInAdvisor {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async answer(context: RequestContext, messages: readonly ChatMessage[]): Promise<Part[]> {
    const today = format(new TZDate(this.clock.now(), context.timezone), 'yyyy-MM-dd');
    const students = await this.queries.execute(new ListNames(context));
    const asked = messages
      .filter(({ role }) => role === 'user')
      .slice(-MOST_QUESTIONS)
      .map(({ content }) => content.slice(0, LONGEST_QUESTION));
    const [message, ...before] = asked.toReversed() as [string, ...string[]];
    const read = understand(message, { today, students, before });
    if (read === undefined) return unknownAnswer();
    if (read === 'days') return daysAnswer();
    const asking = { context, today };
    return ACTS.has(read.intent) ? this.act(read, message, asking) : this.told(read, asking);
  }

  private async told(read: Understood, asking: Asking): Promise<Part[]> {
    const { intent, pessoa, desconhecido, parte } = read;
    if (desconhecido !== null) return say`${notFound(desconhecido)}`;
    if (pessoa.length > 1) return whichOne(pessoa);
    if (pessoa[0]) return this.ofStudent(read, pessoa[0], asking);
    const { context } = asking;
    switch (intent) {
      case 'recebido':
      case 'previsto':
      case 'despesas':
      case 'lucro':
        return this.over(read, asking, (months) => figureAnswer(intent, months));
      case 'guardar': {
        const { reserva } = await this.queries.execute(new ShowFinancialSettings(context));
        return this.over(read, asking, (months) => saveAnswer(reserva, months));
      }
      case 'divisao':
        return this.over(read, asking, (months) => divisionAnswer(parte, months));
      case 'meta':
        return this.over(read, asking, goalAnswer);
      case 'ticket':
        return this.over(read, asking, ticketAnswer);
      case 'melhor_mes':
      case 'pior_mes':
        return this.extreme(read, asking);
      case 'comparar':
        return this.compared(read, asking);
      case 'e_se':
        return this.raised(read, asking);
      case 'devedores': {
        const [sums, debtors] = await Promise.all([
          this.queries.execute(new ShowReceivables(context)),
          this.queries.execute(new ListDebtors(context, { limit: 50 })),
        ]);
        return debtorsAnswer(sums, debtors);
      }
      case 'creditos':
        return creditsAnswer(await this.queries.execute(new ListLowCredits(context, { limit: 6 })));
      case 'aulas_devidas':
        return owedLessonsAnswer(await this.queries.execute(new SumOwedLessons(context)));
      case 'sumindo': {
        const { items, hasMore } = await this.queries.execute(new ListMissing(context));
        return missingAnswer(items, hasMore);
      }
      case 'obrigado':
        return thanksAnswer();
      default:
        return helpAnswer();
    }
  }

  /** Each period that was named, or this month. */
  private async over(
    { periods }: Understood,
    asking: Asking,
    answer: (months: Months) => Part[],
  ): Promise<Part[]> {
    const current = asking.today.slice(0, 7);
    const asked = periods.length > 0 ? periods.slice(0, 3) : [{ de: current, ate: current }];
    const answers: Part[][] = [];
    for (const period of asked) {
      if (monthsOf(period).length > MOST_MONTHS) return say`Somo até ${MOST_MONTHS} meses de uma vez.`;
      answers.push(answer(await this.months(period, asking)));
    }
    return answers.flatMap((each, n) => (n === 0 ? each : say`\n${each}`));
  }

  private async months(period: Period, { context, today }: Asking): Promise<Months> {
    const months = await Promise.all(
      monthsOf(period).map((month) => this.queries.execute(new ShowMonth(context, month))),
    );
    return { period, months, today };
  }

  private async extreme({ intent, periods }: Understood, asking: Asking): Promise<Part[]> {
    const current = asking.today.slice(0, 7);
    let [period] = periods;
    if (!period || period.de === period.ate) {
      let de = current;
      for (let n = 1; n < RECENT_MONTHS; n += 1) de = monthBefore(de);
      period = { de, ate: current };
    }
    if (monthsOf(period).length > MOST_MONTHS) return say`Comparo até ${MOST_MONTHS} meses de uma vez.`;
    const within = {
      de: period.de,
      ate: period.ate > current && period.de <= current ? current : period.ate,
    };
    return extremeAnswer(intent === 'melhor_mes' ? 'melhor' : 'pior', await this.months(within, asking));
  }

  private async compared({ periods }: Understood, asking: Asking): Promise<Part[]> {
    const current = asking.today.slice(0, 7);
    const [one = { de: monthBefore(current), ate: monthBefore(current) }, other] = periods;
    const isYear = one.de.slice(0, 4) === one.ate.slice(0, 4) && one.de !== one.ate;
    const now = isYear ? { de: `${current.slice(0, 4)}-01`, ate: current } : { de: current, ate: current };
    const last = one.de === current && one.ate === current ? monthBefore(current) : undefined;
    const against = other ?? (last ? { de: last, ate: last } : now);
    if ([one, against].some((period) => monthsOf(period).length > RECENT_MONTHS))
      return say`Comparo períodos de até ${RECENT_MONTHS} meses.`;
    return compareAnswer(await this.months(one, asking), await this.months(against, asking));
  }

  /** On the figures of the last month that is over, or of this one where that has none. */
  private async raised({ valor, percent, periods: [period] }: Understood, asking: Asking): Promise<Part[]> {
    const { context, today } = asking;
    const current = today.slice(0, 7);
    const last = await this.queries.execute(new ShowMonth(context, period?.de ?? monthBefore(current)));
    const month =
      period || last.receitas > 0 ? last : await this.queries.execute(new ShowMonth(context, current));
    return raiseAnswer({ valor, percent }, month, today);
  }

  private async ofStudent({ intent, periods }: Understood, whom: Named, asking: Asking): Promise<Part[]> {
    const { context, today } = asking;
    if (intent === 'recebido') {
      const current = today.slice(0, 7);
      const period = periods[0] ?? { de: current, ate: current };
      return paidByAnswer(
        whom,
        await this.queries.execute(new SumPaidBy(context, whom.id, period)),
        period,
        today,
      );
    }
    if (intent === 'devedores') {
      const { items, total } = await this.openCharges(whom, context);
      return owedByAnswer(whom, { ...total, desde: items[0]?.vencimento ?? null }, today);
    }
    const { creditos } = await this.queries.execute(new GetStudent(context, whom.id));
    return creditsOfAnswer(whom, creditos);
  }

  private async act(read: Understood, message: string, { context, today }: Asking): Promise<Part[]> {
    const whom = read.pessoa.length === 1 ? read.pessoa[0] : undefined;
    const student = whom && (await this.queries.execute(new GetStudent(context, whom.id)));
    const open = whom ? (await this.openCharges(whom, context)).items : [];
    const { timezone } = context;
    return actAnswer(read, { message, today, timezone, plano: student?.plano ?? null, abertas: open });
  }

  private openCharges({ id }: Named, context: RequestContext) {
    return this.queries.execute(
      new ListCharges(context, { student_id: id, situacao: 'a_receber', limit: MOST_CHARGES }),
    );
  }
}
