import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import type { AllocationKind, ExpenseCategory, MonthSummary, PaymentMethod } from '../finance/finance.api.js';
import { daysOf } from './days.js';
import type { Period } from './period.js';
import {
  capital,
  figureLink,
  inPeriod,
  linked,
  linesLink,
  listed,
  money,
  monthName,
  type Part,
  percent,
  say,
  sumLink,
} from './saying.js';

/** The summaries of a period's months, in order. */
export interface Months {
  period: Period;
  months: readonly MonthSummary[];
  today: string;
}

export type SummedFigure = 'recebido' | 'previsto' | 'despesas' | 'lucro';

export const sumOf = (months: readonly MonthSummary[], figure: SummedFigure | 'reserva_sugerida'): number =>
  months.reduce((sum, month) => sum + month[figure], 0);

const hasNothing = (months: readonly MonthSummary[]): boolean => sumOf(months, 'recebido') === 0;
const isRunning = ({ period, today }: Months): boolean =>
  period.de <= today.slice(0, 7) && today.slice(0, 7) <= period.ate;

/** Maximum of months that are listed one by one. */
const MOST_LISTED = 6;

/** Verbs for past months, and for the current one. */
const VERBS: Record<SummedFigure, [was: string, is: string]> = {
  recebido: ['você recebeu', 'você recebeu'],
  previsto: ['o previsto era', 'o previsto é'],
  despesas: ['as despesas somaram', 'as despesas somam'],
  lucro: ['o lucro foi de', 'o lucro é de'],
};
const verbOf = (figure: SummedFigure, { period, today }: Months): string =>
  VERBS[figure][period.ate < today.slice(0, 7) ? 0 : 1];

/** The answer with a figure of one month, or of several months and each of them. */
export function figureAnswer(figure: SummedFigure, asked: Months): Part[] {
  const { period, months, today } = asked;
  const [only] = months;
  const when = capital(inPeriod(period, today));
  if (months.length === 1 && only) return say`${when}, ${oneMonth(figure, only, asked)}`;
  const total = money(sumOf(months, figure), sumLink(period, figure));
  const each = months.map(
    (month) => say`${money(month[figure], figureLink(month.mes, figure))} em ${monthName(month.mes, today)}`,
  );
  const shown = months.length <= MOST_LISTED ? say`: ${listed(each)}` : [];
  return say`${when}, ${verbOf(figure, asked)} ${total}${shown}.`;
}

function oneMonth(figure: SummedFigure, month: MonthSummary, asked: Months): Part[] {
  const { mes, receitas, recebido, despesas } = month;
  const own = money(month[figure], figureLink(mes, figure));
  const received = money(recebido, figureLink(mes, 'recebido'));
  const verb = verbOf(figure, asked);
  const current = asked.today.slice(0, 7);
  switch (figure) {
    case 'recebido': {
      const of =
        receitas > 0
          ? say` em ${linked(plural(receitas, 'receita', 'receitas'), figureLink(mes, 'ticket_medio'))}`
          : [];
      const more = isRunning(asked)
        ? say` O previsto para o mês é ${money(month.previsto, figureLink(mes, 'previsto'))}.`
        : [];
      return say`você recebeu ${own}${of}.${more}`;
    }
    case 'previsto':
      return say`${verb} ${own}${mes <= current ? say`, e você ${mes < current ? '' : 'já '}recebeu ${received}` : []}.`;
    case 'despesas':
      return say`${verb} ${own}.`;
    case 'lucro':
      return say`${verb} ${own}: ${received} recebidos menos ${money(despesas, figureLink(mes, 'despesas'))} de despesas.`;
  }
}

/** Sum of the expenses of one category, which is called `name`. */
export function spentOnAnswer(
  { categoria, name }: { categoria: ExpenseCategory; name: string },
  sum: number,
  { period, today }: Pick<Months, 'period' | 'today'>,
): Part[] {
  const when = capital(inPeriod(period, today));
  if (sum === 0) return say`${when}, não há despesas da categoria ${name}.`;
  const link = linesLink(daysOf(period), 'despesas', { categoria });
  return say`${when}, você pagou ${money(sum, link)} em despesas da categoria ${name}.`;
}

const BY: Record<PaymentMethod, string> = {
  pix: 'em Pix',
  cartao_credito: 'no cartão',
  dinheiro: 'em dinheiro',
};

/** What was received by one payment method. */
export function receivedByAnswer(
  meio: PaymentMethod,
  sum: number,
  { period, today }: Pick<Months, 'period' | 'today'>,
): Part[] {
  const link = linesLink(daysOf(period), 'recebido', { meio });
  return say`${capital(inPeriod(period, today))}, você recebeu ${money(sum, link)} ${BY[meio]}.`;
}

/** How much to save: the configured share of what was received, 20 % unless the trainer set another. */
export function saveAnswer(share: number, asked: Months): Part[] {
  const { months, period, today } = asked;
  if (hasNothing(months))
    return isRunning(asked) && months.length === 1
      ? say`Ainda não há dados de recebimento este mês.`
      : say`Não há dados de recebimento ${inPeriod(period, today)}.`;
  const link = sumLink(period, 'reserva_sugerida');
  const received = sumLink(period, 'recebido');
  return say`Guarde ${money(sumOf(months, 'reserva_sugerida'), link)}: ${linked(`${share}%`, '/ajustes/configuracoes')} dos ${money(sumOf(months, 'recebido'), received)} recebidos ${inPeriod(period, today)}.`;
}

const PARTS: Record<AllocationKind, string> = {
  imposto: 'imposto',
  reserva: 'reserva',
  operacional: 'operacional',
  retirada: 'retirada',
};

/** The allocation of receitas to taxes, the business and the trainer. */
export function divisionAnswer(part: AllocationKind | undefined, asked: Months): Part[] {
  const { months, period, today } = asked;
  if (hasNothing(months)) return saveAnswer(0, asked);
  const share = (kind: AllocationKind): Part[] => {
    const sum = months.reduce((total, { alocacoes }) => total + alocacoes[kind], 0);
    return say`${money(sum, sumLink(period, kind))} de ${PARTS[kind]}`;
  };
  const when = capital(inPeriod(period, today));
  if (part) return say`${when}, a parte do que você recebeu é ${share(part)}.`;
  return say`${when}, o que você recebeu ${period.ate < today.slice(0, 7) ? 'se dividiu' : 'se divide'} em ${listed((Object.keys(PARTS) as AllocationKind[]).map(share))}.`;
}

/** The goal of a month, or the sum of the goals of several months. */
export function goalAnswer(asked: Months): Part[] {
  const { months, period, today } = asked;
  const meta = months.reduce((sum, month) => sum + month.meta, 0);
  const recebido = sumOf(months, 'recebido');
  const isOne = months.length === 1;
  const of = money(meta, '/ajustes/configuracoes');
  const got = money(recebido, sumLink(period, 'recebido'));
  const share = linked(
    percent(isOne ? months[0]!.aderencia : Math.round((recebido * 1000) / meta) / 10),
    sumLink(period, 'aderencia'),
  );
  const goal = isOne ? say`a meta de ${of}` : say`a meta de ${of} (${months.length} meses)`;
  const when = inPeriod(period, today);
  if (recebido >= meta) return say`Você bateu ${goal} ${when}: recebeu ${got} (${share}).`;
  const missing = money(meta - recebido, sumLink(period, 'aderencia'));
  const left = isOne ? months[0]!.dias_restantes : 0;
  if (!isRunning(asked) && period.ate < today.slice(0, 7))
    return say`Faltaram ${missing} para ${goal} ${when}: você recebeu ${got} (${share}).`;
  const days =
    left > 0
      ? say` ${left === 1 ? 'Resta' : 'Restam'} ${linked(plural(left, 'dia', 'dias'), figureLink(period.de, 'aderencia'))}.`
      : [];
  return say`Faltam ${missing} para ${goal} ${when}: você recebeu ${got} (${share}).${days}`;
}

export function ticketAnswer(asked: Months): Part[] {
  const { months, period, today } = asked;
  const count = months.reduce((sum, { receitas }) => sum + receitas, 0);
  const recebido = sumOf(months, 'recebido');
  if (count <= 0) return say`Não há recebimentos ${inPeriod(period, today)}, então não há ticket médio.`;
  const link = sumLink(period, 'ticket_medio');
  return say`${capital(inPeriod(period, today))}, o ticket médio é ${money(Math.round(recebido / count), link)}: ${money(recebido, sumLink(period, 'recebido'))} em ${linked(plural(count, 'receita', 'receitas'), link)}.`;
}

/** The best or worst month. The current month, and months before the first receita, cannot be the worst. */
export function extremeAnswer(which: 'melhor' | 'pior', { months, today }: Months): Part[] {
  const begun = months.findIndex(({ recebido }) => recebido !== 0);
  const current = today.slice(0, 7);
  const counted =
    begun < 0 ? [] : months.slice(begun).filter(({ mes }) => which === 'melhor' || mes !== current);
  const [first] = counted;
  if (!first) return say`Ainda não há meses com recebimentos para comparar.`;
  const found = counted.reduce((best, month) =>
    (which === 'melhor' ? month.recebido > best.recebido : month.recebido < best.recebido) ? month : best,
  );
  const note = which === 'pior' ? '' : found.mes === current ? ', que ainda não acabou' : '';
  return say`Seu ${which} mês ${inPeriod({ de: first.mes, ate: counted.at(-1)!.mes }, today)} foi ${monthName(found.mes, today)}${note}: ${money(found.recebido, figureLink(found.mes, 'recebido'))} recebidos.`;
}

/** Compares two periods. */
export function compareAnswer(one: Months, other: Months): Part[] {
  const [before, after] = one.period.de <= other.period.de ? [one, other] : [other, one];
  const { today } = one;
  const row = (figure: 'recebido' | 'despesas' | 'lucro', label: string): Part[] => {
    const [a, b] = [sumOf(before.months, figure), sumOf(after.months, figure)];
    const change = `${b >= a ? '+' : '−'}${percent(Math.abs(Math.round(((b - a) * 1000) / Math.abs(a)) / 10))}`;
    const difference = a === 0 ? [] : say` (${linked(change, sumLink(after.period, figure))})`;
    return say`\n• ${label}: ${money(a, sumLink(before.period, figure))} → ${money(b, sumLink(after.period, figure))}${difference}`;
  };
  const running = isRunning(after)
    ? `\n${capital(inPeriod(after.period, today).replace(/^(em|de) /, ''))} ainda não acabou.`
    : '';
  return say`${capital(inPeriod(before.period, today))} → ${inPeriod(after.period, today)}:${row('recebido', 'Recebido')}${row('despesas', 'Despesas')}${row('lucro', 'Lucro')}${running}`;
}

/** What a price increase would have brought in a past month. */
export function raiseAnswer(
  { valor, percent: by }: { valor: number | undefined; percent: number | undefined },
  month: MonthSummary,
  today: string,
): Part[] {
  const { mes, receitas, recebido } = month;
  if (receitas <= 0) return say`Não há recebimentos em ${monthName(mes, today)} para fazer essa conta.`;
  const more = valor === undefined ? Math.round((recebido * by!) / 100) : valor * receitas;
  const each = valor === undefined ? `${percent(by!)} a mais` : `${brl(valor)} a mais em cada receita`;
  const counted = linked(plural(receitas, 'receita', 'receitas'), figureLink(mes, 'ticket_medio'));
  return say`Em ${monthName(mes, today)} você recebeu ${money(recebido, figureLink(mes, 'recebido'))} em ${counted}. Com ${each}, seriam ${money(more, figureLink(mes, 'ticket_medio'))} a mais: ${money(recebido + more, figureLink(mes, 'ticket_medio'))}. A conta supõe que todos continuem.`;
}
