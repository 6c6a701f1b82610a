import { Injectable } from '@nestjs/common';
import { ShowReceivables } from '../charges/receivables.queries.js';
import { ListLowCredits } from '../credits/credits.queries.js';
import { allocationKind } from '../finance/finance.api.js';
import { categoryNames } from '../finance/money-words.api.js';
import { ShowMonth } from '../finance/finance.queries.js';
import { monthBefore } from '../finance/month.js';
import { ShowFinancialSettings } from '../settings/settings.queries.js';
import { GetStudent } from '../students/students.queries.js';
import { actAnswer, notFound, whichOne } from './acts.js';
import { ListFading } from './advisor.queries.js';
import { agendaAnswer, loadOf } from './agenda-answers.js';
import { besides, dayBefore, type Days, daysOf, monthsOfDays } from './days.js';
import { eitherAnswer, REPLIES } from './help.js';
import {
  compareAnswer,
  COMPARED,
  daysAnswer,
  divisionAnswer,
  extremeAnswer,
  figureAnswer,
  goalAnswer,
  type Months,
  raiseAnswer,
  byMethodAnswer,
  saveAnswer,
  spentOnAnswer,
  ticketAnswer,
} from './months-answers.js';
import type { Named } from './names.js';
import {
  absencesAnswer,
  creditsAnswer,
  creditsOfAnswer,
  debtorsAnswer,
  lateAnswer,
  fadingAnswer,
  owedByAnswer,
  owedLessonsAnswer,
  paidByAnswer,
  payersAnswer,
  receivableAnswer,
} from './people-answers.js';
import { monthsOf, shiftMonth, single } from './period.js';
import type { Reading } from './reading.loads.js';
import { type Part, say } from './saying.js';
import { ACTS } from './intents.js';
import type { Meaning, Understood } from './understand.js';

/** Maximum of months in one answer. */
const MOST_MONTHS = 24;
/** Maximum of days and periods in one question. */
const MOST_SPANS = 6;
/** Number of months for "melhor mês" without a period. */
const RECENT_MONTHS = 12;

type Spans = Pick<Understood, 'periods' | 'dias'>;
const spansOf = ({ periods, dias }: Spans): Days[] => [...dias, ...periods.map(daysOf)];
const monthsAround = ({ de, ate }: Days): string[] => monthsOf({ de: de.slice(0, 7), ate: ate.slice(0, 7) });

/** Answers common questions about the tenant's figures, without a language model. */
@Injectable()
export class BuiltInAdvisor {
  async answer(meaning: Meaning, message: string, reading: Reading): Promise<Part[]> {
    if (typeof meaning !== 'object') return say`${REPLIES[meaning ?? 'unknown']}`;
    if (ACTS.has(meaning.intent)) return this.act(meaning, message, reading);
    const answer = await this.told(meaning, reading);
    return meaning.ambiguo ? say`${answer}\n${eitherAnswer(meaning.ambiguo)}` : answer;
  }

  private async told(read: Understood, reading: Reading): Promise<Part[]> {
    const { intent, pessoa, desconhecido, parte, categoria, meio } = read;
    if (desconhecido !== null) return say`${notFound(desconhecido)}`;
    if (pessoa.length > 1) return whichOne(pessoa);
    const { context, today } = reading;
    const [whom] = pessoa;
    if (intent === 'faltas')
      return this.each(read, reading, async (days) =>
        absencesAnswer(await reading.rank('faltas', { ...days, studentId: whom?.id }), days, today, whom),
      );
    if (whom) return this.ofStudent(read, whom, reading);
    if (intent === 'despesas' && categoria)
      return this.each(read, reading, async (days) => {
        const sum = await reading.sum({ figura: 'despesas', ...days, categoria });
        return spentOnAnswer({ categoria, name: categoryNames[categoria] }, sum, { days, today });
      });
    if (meio)
      return this.each(read, reading, async (days) => {
        const figura = intent === 'despesas' ? 'despesas' : 'recebido';
        const sum = await reading.sum({ figura, ...days, metodo_pagamento: meio });
        return byMethodAnswer({ figura, meio }, sum, { days, today });
      });
    if (intent === 'recebido' && read.isWho)
      return this.each(read, reading, async (days) =>
        payersAnswer(await reading.rank('pago', days), days, today),
      );
    const division = async (days: Days, part = parte) =>
      divisionAnswer(part, await reading.sums(days, ['recebido', ...allocationKind.options]));
    switch (intent) {
      case 'recebido':
      case 'previsto':
      case 'despesas':
      case 'lucro':
        return this.each(read, reading, async (days) => {
          const months = monthsOfDays(days);
          if (months) return figureAnswer(intent, await reading.months(months));
          return daysAnswer(intent, await reading.sums(days, [...COMPARED, 'previsto']));
        });
      case 'guardar': {
        const { reserva } = await reading.read(new ShowFinancialSettings(context));
        return this.each(read, reading, async (days) => {
          const months = monthsOfDays(days);
          return months ? saveAnswer(reserva, await reading.months(months)) : division(days, 'reserva');
        });
      }
      case 'divisao':
        return this.each(read, reading, (days) => division(days));
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
        const { atraso } = read;
        if (atraso !== undefined)
          return lateAnswer(await reading.rank('atraso', { ate: dayBefore(today, atraso) }), atraso);
        const [sums, debtors] = await reading.receivables();
        return debtorsAnswer(sums, debtors);
      }
      case 'a_receber':
        return receivableAnswer(await reading.read(new ShowReceivables(context)));
      case 'creditos':
        return creditsAnswer(await reading.read(new ListLowCredits(context, { limit: 6 })));
      case 'aulas_devidas':
        return owedLessonsAnswer(await reading.rank('creditos'), await reading.owedSessions());
      case 'sumindo': {
        const { items, hasMore } = await reading.read(new ListFading(context));
        return fadingAnswer(items, hasMore);
      }
      case 'agenda': {
        const days = read.dias[0]!;
        return agendaAnswer(loadOf(days, today, await reading.sessionDays(days)));
      }
      default:
        return say`${REPLIES[intent === 'obrigado' ? intent : 'ajuda']}`;
    }
  }

  /** Figures that are only computed for whole months. */
  private over({ periods }: Spans, reading: Reading, answer: (months: Months) => Part[]): Promise<Part[]> {
    return this.each({ periods, dias: [] }, reading, async (days) =>
      answer(await reading.months(monthsOfDays(days)!)),
    );
  }

  /** All days and months that were named, or this month. */
  private async each(
    spans: Spans,
    { today }: Reading,
    answer: (days: Days) => Promise<Part[]>,
  ): Promise<Part[]> {
    const current = today.slice(0, 7);
    const named = spansOf(spans);
    if (named.length > MOST_SPANS) return say`Respondo sobre até ${MOST_SPANS} períodos de uma vez.`;
    const answers: Part[][] = [];
    for (const days of named.length > 0 ? named : [daysOf(single(current))]) {
      if (monthsAround(days).length > MOST_MONTHS) return say`Somo até ${MOST_MONTHS} meses de uma vez.`;
      answers.push(await answer(days));
    }
    return answers.flatMap((each, n) => (n === 0 ? each : say`\n${each}`));
  }

  private async extreme({ intent, periods }: Understood, reading: Reading): Promise<Part[]> {
    const current = reading.today.slice(0, 7);
    let [period] = periods;
    if (!period || period.de === period.ate)
      period = { de: shiftMonth(current, 1 - RECENT_MONTHS), ate: current };
    if (monthsOf(period).length > MOST_MONTHS) return say`Comparo até ${MOST_MONTHS} meses de uma vez.`;
    const ate = period.ate > current && period.de <= current ? current : period.ate;
    const months = await reading.months({ de: period.de, ate });
    return extremeAnswer(intent === 'melhor_mes' ? 'melhor' : 'pior', months);
  }

  private async compared({ periods, dias }: Understood, reading: Reading): Promise<Part[]> {
    const { today } = reading;
    const last = monthBefore(today.slice(0, 7));
    const [one = daysOf(single(last)), other = besides(one, today)] = spansOf({ periods, dias });
    if ([one, other].some((days) => monthsAround(days).length > RECENT_MONTHS))
      return say`Comparo períodos de até ${RECENT_MONTHS} meses.`;
    return compareAnswer(await reading.sums(one, COMPARED), await reading.sums(other, COMPARED));
  }

  /** Uses the figures of the last complete month, or of the current one if that has none. */
  private async raised({ valor, percent, periods: [period] }: Understood, reading: Reading): Promise<Part[]> {
    const { context, today } = reading;
    const current = today.slice(0, 7);
    const last = await reading.read(new ShowMonth(context, period?.de ?? monthBefore(current)));
    const month = period || last.receitas > 0 ? last : await reading.read(new ShowMonth(context, current));
    return raiseAnswer({ valor, percent }, month, today);
  }

  private async ofStudent(read: Understood, whom: Named, reading: Reading): Promise<Part[]> {
    const { intent } = read;
    const { context, today } = reading;
    if (intent === 'recebido')
      return this.each(read, reading, async (days) => {
        const sum = await reading.sum({ figura: 'recebido', ...days, student_id: whom.id });
        return paidByAnswer(whom, sum, days, today);
      });
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
    const usual = whom && read.intent === 'agendar' ? await reading.usual(whom.id) : null;
    const { timezone } = context;
    return actAnswer(read, { message, today, timezone, plano: student?.plano ?? null, abertas: open, usual });
  }
}
