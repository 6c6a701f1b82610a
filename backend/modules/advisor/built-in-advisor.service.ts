import { Injectable } from '@nestjs/common';
import { ListLowCredits } from '../credits/credits.queries.js';
import { categoryNames } from '../finance/money-words.api.js';
import { SumFigure } from '../finance/figure-lines.queries.js';
import { ShowMonth } from '../finance/finance.queries.js';
import { monthBefore } from '../finance/month.js';
import { ShowFinancialSettings } from '../settings/settings.queries.js';
import { GetStudent } from '../students/students.queries.js';
import { actAnswer, notFound, whichOne } from './acts.js';
import { ListMissing, ListPayers, SumOwedLessons } from './advisor.queries.js';
import { agendaAnswer, loadOf } from './agenda-answers.js';
import { daysOf } from './days.js';
import { daysAnswer, eitherAnswer, helpAnswer, thanksAnswer, unknownAnswer } from './help.js';
import {
  compareAnswer,
  divisionAnswer,
  extremeAnswer,
  figureAnswer,
  goalAnswer,
  type Months,
  raiseAnswer,
  receivedByAnswer,
  saveAnswer,
  spentOnAnswer,
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
  payersAnswer,
} from './people-answers.js';
import { monthsOf, type Period } from './period.js';
import type { Reading } from './reading.loads.js';
import { type Part, say } from './saying.js';
import { ACTS, type Meaning, type Understood } from './understand.js';

/** Maximum of months in one answer. */
const MOST_MONTHS = 24;
/** Number of months for "melhor mês" without a period. */
const RECENT_MONTHS = 12;

/** Answers common questions about the tenant's figures, without a language model. */
@Injectable()
export class BuiltInAdvisor {
  async answer(meaning: Meaning, message: string, reading: Reading): Promise<Part[]> {
    if (meaning === undefined) return unknownAnswer();
    if (meaning === 'days') return daysAnswer();
    if (ACTS.has(meaning.intent)) return this.act(meaning, message, reading);
    const answer = await this.told(meaning, reading);
    return meaning.ambiguo ? say`${answer}\n${eitherAnswer(meaning.ambiguo)}` : answer;
  }

  private async told(read: Understood, reading: Reading): Promise<Part[]> {
    const { intent, pessoa, desconhecido, parte } = read;
    if (desconhecido !== null) return say`${notFound(desconhecido)}`;
    if (pessoa.length > 1) return whichOne(pessoa);
    if (pessoa[0]) return this.ofStudent(read, pessoa[0], reading);
    const { context, today } = reading;
    const { categoria } = read;
    if (intent === 'despesas' && categoria)
      return this.each(read, reading, async (period) =>
        spentOnAnswer(
          { categoria, name: categoryNames[categoria] },
          await reading.read(new SumFigure(context, { figura: 'despesas', ...daysOf(period), categoria })),
          { period, today },
        ),
      );
    const { meio } = read;
    if (meio)
      return this.each(read, reading, async (period) => {
        const part = { figura: 'recebido', ...daysOf(period), metodo_pagamento: meio } as const;
        return receivedByAnswer(meio, await reading.read(new SumFigure(context, part)), { period, today });
      });
    if (intent === 'recebido' && read.isWho)
      return this.each(read, reading, async (period) =>
        payersAnswer(await reading.read(new ListPayers(context, period)), period, today),
      );
    switch (intent) {
      case 'recebido':
      case 'previsto':
      case 'despesas':
      case 'lucro':
        return this.over(read, reading, (months) => figureAnswer(intent, months));
      case 'guardar': {
        const { reserva } = await reading.read(new ShowFinancialSettings(context));
        return this.over(read, reading, (months) => saveAnswer(reserva, months));
      }
      case 'divisao':
        return this.over(read, reading, (months) => divisionAnswer(parte, months));
      case 'meta':
        return this.over(read, reading, goalAnswer);
      case 'ticket':
        return this.over(read, reading, ticketAnswer);
      case 'melhor_mes':
      case 'pior_mes':
        return this.extreme(read, reading);
      case 'comparar':
        return this.compared(read, reading);
      case 'e_se':
        return this.raised(read, reading);
      case 'devedores': {
        const [sums, debtors] = await reading.receivables();
        return debtorsAnswer(sums, debtors);
      }
      case 'creditos':
        return creditsAnswer(await reading.read(new ListLowCredits(context, { limit: 6 })));
      case 'aulas_devidas':
        return owedLessonsAnswer(await reading.read(new SumOwedLessons(context)));
      case 'sumindo': {
        const { items, hasMore } = await reading.read(new ListMissing(context));
        return missingAnswer(items, hasMore);
      }
      case 'agenda': {
        const days = read.dias!;
        return agendaAnswer(loadOf(days, today, await reading.sessionDays(days)));
      }
      case 'obrigado':
        return thanksAnswer();
      default:
        return helpAnswer();
    }
  }

  private over(read: Understood, reading: Reading, answer: (months: Months) => Part[]): Promise<Part[]> {
    return this.each(read, reading, async (period) => answer(await reading.months(period)));
  }

  /** Each period that was named, or this month. */
  private async each(
    { periods }: Understood,
    reading: Reading,
    answer: (period: Period) => Promise<Part[]>,
  ): Promise<Part[]> {
    const current = reading.today.slice(0, 7);
    const asked = periods.length > 0 ? periods.slice(0, 3) : [{ de: current, ate: current }];
    const answers: Part[][] = [];
    for (const period of asked) {
      if (monthsOf(period).length > MOST_MONTHS) return say`Somo até ${MOST_MONTHS} meses de uma vez.`;
      answers.push(await answer(period));
    }
    return answers.flatMap((each, n) => (n === 0 ? each : say`\n${each}`));
  }

  private async extreme({ intent, periods }: Understood, reading: Reading): Promise<Part[]> {
    const current = reading.today.slice(0, 7);
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
    return extremeAnswer(intent === 'melhor_mes' ? 'melhor' : 'pior', await reading.months(within));
  }

  private async compared({ periods }: Understood, reading: Reading): Promise<Part[]> {
    const current = reading.today.slice(0, 7);
    const [one = { de: monthBefore(current), ate: monthBefore(current) }, other] = periods;
    const isYear = one.de.slice(0, 4) === one.ate.slice(0, 4) && one.de !== one.ate;
    const now = isYear ? { de: `${current.slice(0, 4)}-01`, ate: current } : { de: current, ate: current };
    const last = one.de === current && one.ate === current ? monthBefore(current) : undefined;
    const against = other ?? (last ? { de: last, ate: last } : now);
    if ([one, against].some((period) => monthsOf(period).length > RECENT_MONTHS))
      return say`Comparo períodos de até ${RECENT_MONTHS} meses.`;
    return compareAnswer(await reading.months(one), await reading.months(against));
  }

  /** Uses the figures of the last complete month, or of the current one if that has none. */
  private async raised({ valor, percent, periods: [period] }: Understood, reading: Reading): Promise<Part[]> {
    const { context, today } = reading;
    const current = today.slice(0, 7);
    const last = await reading.read(new ShowMonth(context, period?.de ?? monthBefore(current)));
    const month = period || last.receitas > 0 ? last : await reading.read(new ShowMonth(context, current));
    return raiseAnswer({ valor, percent }, month, today);
  }

  private async ofStudent({ intent, periods }: Understood, whom: Named, reading: Reading): Promise<Part[]> {
    const { context, today } = reading;
    if (intent === 'recebido') {
      const current = today.slice(0, 7);
      const period = periods[0] ?? { de: current, ate: current };
      const part = { figura: 'recebido', ...daysOf(period), student_id: whom.id } as const;
      return paidByAnswer(whom, await reading.read(new SumFigure(context, part)), period, today);
    }
    if (intent === 'devedores') {
      const { items, total } = await reading.openCharges(whom.id);
      return owedByAnswer(whom, { ...total, desde: items[0]?.vencimento ?? null }, today);
    }
    const { creditos } = await reading.read(new GetStudent(context, whom.id));
    return creditsOfAnswer(whom, creditos);
  }

  private async act(read: Understood, message: string, reading: Reading): Promise<Part[]> {
    const { context, today } = reading;
    const whom = read.pessoa.length === 1 ? read.pessoa[0] : undefined;
    const student = whom && (await reading.read(new GetStudent(context, whom.id)));
    const open = whom ? (await reading.openCharges(whom.id)).items : [];
    const { timezone } = context;
    return actAnswer(read, { message, today, timezone, plano: student?.plano ?? null, abertas: open });
  }
}
