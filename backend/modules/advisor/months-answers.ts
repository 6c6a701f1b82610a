import { brl } from '../../platform/portuguese.js';
import type {
  AllocationKind,
  ExpenseCategory,
  Figure,
  MonthSummary,
  PaymentMethod,
} from '../finance/finance.api.js';
import { type Days, daysOf, monthsOfDays } from './days.js';
import type { Period } from './period.js';
import {
  capital,
  daysLink,
  figureLink,
  inPeriod,
  counted,
  linked,
  linesLink,
  listed,
  money,
  monthName,
  onDays,
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

/** Sums of some days. */
export interface DaySums<Figures extends Figure> {
  days: Days;
  today: string;
  sums: Readonly<Record<Figures, number>>;
}

/** The answer with a figure of days that are not whole months. */
export function daysAnswer(figure: SummedFigure, { days, today, sums }: DaySums<SummedFigure>): Part[] {
  const sum = (of: SummedFigure) => money(sums[of], daysLink(days, of));
  const verb = VERBS[figure][days.ate < today ? 0 : 1];
  const of =
    figure === 'lucro' ? say`: ${sum('recebido')} recebidos menos ${sum('despesas')} de despesas` : [];
  return say`${capital(onDays(days, today))}, ${verb} ${sum(figure)}${of}.`;
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
          ? say` em ${counted(receitas, 'receita', 'receitas', figureLink(mes, 'ticket_medio'))}`
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
  { days, today }: { days: Days; today: string },
): Part[] {
  const when = capital(onDays(days, today));
  if (sum === 0) return say`${when}, não há despesas da categoria ${name}.`;
  const link = linesLink(days, 'despesas', { categoria });
  return say`${when}, você pagou ${money(sum, link)} em despesas da categoria ${name}.`;
}

const BY: Record<PaymentMethod, string> = {
  pix: 'em Pix',
  cartao_credito: 'no cartão',
  dinheiro: 'em dinheiro',
};

/** What was received or paid by one payment method. */
export function byMethodAnswer(
  { figura, meio }: { figura: 'recebido' | 'despesas'; meio: PaymentMethod },
  sum: number,
  { days, today }: { days: Days; today: string },
): Part[] {
  const link = linesLink(days, figura, { meio });
  const verb = figura === 'recebido' ? 'recebeu' : 'gastou';
  return say`${capital(onDays(days, today))}, você ${verb} ${money(sum, link)} ${BY[meio]}.`;
}

function noneReceived(days: Days, today: string): Part[] {
  const months = monthsOfDays(days);
  return months?.de === today.slice(0, 7) && months.ate === months.de
    ? say`Ainda não há dados de recebimento este mês.`
    : say`Não há dados de recebimento ${onDays(days, today)}.`;
}

/** How much to save: the configured share of what was received, 20 % unless the trainer set another. */
export function saveAnswer(share: number, asked: Months): Part[] {
  const { months, period, today } = asked;
  if (sumOf(months, 'recebido') === 0) return noneReceived(daysOf(period), today);
  const link = sumLink(period, 'reserva_sugerida');
  const received = sumLink(period, 'recebido');
  return say`Guarde ${money(sumOf(months, 'reserva_sugerida'), link)}: ${linked(`${share}%`, '/ajustes/configuracoes')} dos ${money(sumOf(months, 'recebido'), received)} recebidos ${inPeriod(period, today)}.`;
}

const PARTS: readonly AllocationKind[] = ['imposto', 'reserva', 'operacional', 'retirada'];

/** The allocation of receitas to taxes, the business and the trainer. */
export function divisionAnswer(
  part: AllocationKind | undefined,
  { days, today, sums }: DaySums<AllocationKind | 'recebido'>,
): Part[] {
  const when = onDays(days, today);
  if (sums.recebido === 0) return noneReceived(days, today);
  const share = (kind: AllocationKind): Part[] => say`${money(sums[kind], daysLink(days, kind))} de ${kind}`;
  if (part) return say`Separe ${share(part)} do que você recebeu ${when}.`;
  return say`${capital(when)}, o que você recebeu ${days.ate < today ? 'se dividiu' : 'se divide'} em ${listed(PARTS.map(share))}.`;
}

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
      ? say` ${left === 1 ? 'Resta' : 'Restam'} ${counted(left, 'dia', 'dias', figureLink(period.de, 'aderencia'))}.`
      : [];
  return say`Faltam ${missing} para ${goal} ${when}: você recebeu ${got} (${share}).${days}`;
}

export function ticketAnswer(asked: Months): Part[] {
  const { months, period, today } = asked;
  const count = months.reduce((sum, { receitas }) => sum + receitas, 0);
  const recebido = sumOf(months, 'recebido');
  if (count <= 0) return say`Não há recebimentos ${inPeriod(period, today)}, então não há ticket médio.`;
  const link = sumLink(period, 'ticket_medio');
  return say`${capital(inPeriod(period, today))}, o ticket médio é ${money(Math.round(recebido / count), link)}: ${money(recebido, sumLink(period, 'recebido'))} em ${counted(count, 'receita', 'receitas', link)}.`;
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

export const COMPARED = ['recebido', 'despesas', 'lucro'] as const;
type Compared = DaySums<(typeof COMPARED)[number]>;

/** Compares two periods. */
export function compareAnswer(one: Compared, other: Compared): Part[] {
  const [before, after] = one.days.de <= other.days.de ? [one, other] : [other, one];
  const { today } = one;
  const rows = COMPARED.map((figure): Part[] => {
    const [a, b] = [before.sums[figure], after.sums[figure]];
    const change = `${b >= a ? '+' : '−'}${percent(Math.abs(Math.round(((b - a) * 1000) / Math.abs(a)) / 10))}`;
    const difference = a === 0 ? [] : say` (${linked(change, daysLink(after.days, figure))})`;
    return say`\n• ${capital(figure)}: ${money(a, daysLink(before.days, figure))} → ${money(b, daysLink(after.days, figure))}${difference}`;
  });
  const { de, ate } = after.days;
  const isRunning = de <= today && today <= ate;
  const named = capital(onDays(after.days, today).replace(/^(em |de |n(?=esta ))/, ''));
  const running = isRunning ? `\n${named} ainda não acabou.` : '';
  return say`${capital(onDays(before.days, today))} → ${onDays(after.days, today)}:${rows.flat()}${running}`;
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
  const from = counted(receitas, 'receita', 'receitas', figureLink(mes, 'ticket_medio'));
  return say`Em ${monthName(mes, today)} você recebeu ${money(recebido, figureLink(mes, 'recebido'))} em ${from}. Com ${each}, seriam ${money(more, figureLink(mes, 'ticket_medio'))} a mais: ${money(recebido + more, figureLink(mes, 'ticket_medio'))}. A conta supõe que todos continuem.`;
}
