import type { OwnLine } from './expected-differences.js';
import type { FigureLine } from './finance.api.js';
import { type ForecastStep, forecastStepKind, type ForecastStepKind } from './forecast.api.js';

/** A charge as it is now, with what was paid of it before, in and after the month. */
export interface ChargeNow {
  id: string;
  student_id: string;
  aluno: string | null;
  titulo: string | null;
  origem: 'plano' | 'sessao' | 'taxa' | 'mensalidade' | 'avulsa';
  /** Of a monthly plan's charge: whether it is the month's. */
  is_bill: boolean;
  valor: number;
  vencimento: string;
  cancelada: boolean;
  antes: number;
  no_mes: number;
  depois: number;
  devolvido: number;
  /** Issued since the moment of the prediction. */
  is_new: boolean;
  /** Its student was registered since then. */
  is_new_student: boolean;
  /** Of a session's charge: why the session was cancelled, and whether that day is in a vacation. */
  motivo: string | null;
  em_ferias: boolean;
}

/** Why a monthly plan was not billed, by its student's id. */
export interface PlanNow {
  id: string;
  pausado: boolean;
  /** Still to be billed. */
  a_cobrar: boolean;
}

interface Facts {
  /** Lines of previsto at that moment. */
  predicted: readonly OwnLine[];
  charges: readonly ChargeNow[];
  plans: readonly PlanNow[];
  /** Receitas of the month that pay no charge. */
  others: readonly FigureLine[];
  days: { first: string; last: string };
  today: string;
}

/** The steps from the predicted sum to the received one, each with its lines: they add up to the difference, to the cent. */
export function forecastSteps({
  predicted,
  charges,
  plans,
  others,
  days,
  today,
}: Facts): Omit<ForecastStep, 'resto'>[] {
  const lines = new Map<ForecastStepKind, FigureLine[]>();
  const add = (kind: ForecastStepKind, line: FigureLine) => {
    if (line.valor === 0) return;
    const known = lines.get(kind);
    if (known) known.push(line);
    else lines.set(kind, [line]);
  };
  const byId = new Map(charges.map((each) => [each.id, each]));
  const bills = new Map(charges.filter(({ is_bill }) => is_bill).map((each) => [each.student_id, each]));
  const planOf = new Map(plans.map((each) => [each.id, each]));
  const explained = new Set<string>();

  for (const line of predicted) {
    const its = line.origem === 'cobranca' ? byId.get(line.id) : bills.get(line.id);
    const { student_id: _student, ...shown } = line;
    if (!its || explained.has(its.id)) {
      const plan = planOf.get(line.id);
      const kind = plan?.a_cobrar ? 'a_vencer' : plan?.pausado ? 'pausa' : 'encerrada';
      add(kind, { ...shown, valor: -line.valor });
      continue;
    }
    explained.add(its.id);
    const part = (kind: ForecastStepKind, valor: number) => add(kind, { ...lineOf(its), valor });
    const { antes, no_mes, depois } = its;
    part('pago_antes', -antes);
    part('pago_depois', -depois);
    const now = its.cancelada ? 0 : its.valor;
    if (its.cancelada) part(lossOf(its), -line.valor);
    else {
      const refunded = Math.min(its.devolvido, Math.max(0, line.valor - now));
      part('estorno', -refunded);
      const rest = now - line.valor + refunded;
      part(rest < 0 ? 'desconto' : 'acrescimo', rest);
    }
    part(openOf(its, days.last, today), -(now - antes - no_mes - depois));
  }
  for (const each of charges)
    if (!explained.has(each.id)) add(gainOf(each, days.first), { ...lineOf(each), valor: each.no_mes });
  for (const line of others) add('sem_cobranca', line);

  return forecastStepKind.options.flatMap((tipo) => {
    const linhas = lines.get(tipo);
    if (!linhas) return [];
    const largest = linhas.toSorted((one, other) => Math.abs(other.valor) - Math.abs(one.valor));
    return [{ tipo, valor: linhas.reduce((sum, { valor }) => sum + valor, 0), linhas: largest }];
  });
}

const lineOf = ({ id, titulo, aluno, vencimento }: ChargeNow) => ({
  id,
  titulo,
  aluno,
  data: vencimento,
  origem: 'cobranca' as const,
  estorno: false,
});

/** Why a charge was cancelled. */
function lossOf({ devolvido, origem, motivo, em_ferias }: ChargeNow): ForecastStepKind {
  if (devolvido > 0) return 'estorno';
  if (origem !== 'sessao') return 'cancelada';
  if (em_ferias) return 'ferias';
  return motivo === 'falta' ? 'falta' : 'desmarcada';
}

/** Why what is left of a charge has not come. */
function openOf({ vencimento }: ChargeNow, last: string, today: string): ForecastStepKind {
  if (vencimento > last) return 'adiada';
  return vencimento < today ? 'atraso' : 'a_vencer';
}

/** Why money came in that was not predicted. */
function gainOf({ is_new, is_new_student, origem, vencimento }: ChargeNow, first: string): ForecastStepKind {
  if (!is_new) return vencimento < first ? 'atrasados' : 'adiantados';
  if (is_new_student) return 'novo_aluno';
  switch (origem) {
    case 'plano':
    case 'mensalidade':
      return 'planos';
    case 'sessao':
      return 'sessoes';
    case 'taxa':
      return 'taxas';
    case 'avulsa':
      return 'outras';
  }
}
