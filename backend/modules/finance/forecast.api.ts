import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { instant } from '../../platform/http/common.api.js';
import { figureLine, month, monthParams } from './finance.api.js';

/** Why less, or more, came in than was predicted, in the order in which they are shown. */
export const forecastStepKind = z.enum([
  ...(['pago_antes', 'desconto', 'estorno', 'pausa', 'ferias', 'falta', 'desmarcada', 'cancelada'] as const),
  ...(['encerrada', 'adiada', 'atraso', 'pago_depois', 'a_vencer', 'acrescimo', 'atrasados'] as const),
  ...(['adiantados', 'novo_aluno', 'planos', 'sessoes', 'taxas', 'outras', 'sem_cobranca'] as const),
]);
export type ForecastStepKind = z.infer<typeof forecastStepKind>;

/** `linhas`: by how much each charge, monthly plan or entry moves what came in; the largest first, at most a hundred. `resto`: the others. */
const forecastStep = z.object({
  tipo: forecastStepKind,
  valor: z.int(),
  linhas: z.array(figureLine),
  resto: z.object({ quantidade: z.int(), valor: z.int() }),
});
export type ForecastStep = z.infer<typeof forecastStep>;

/** The moment as whose knowledge the month is predicted: as a rule, its first. */
export const forecastQuery = z.strictObject({ at: instant });
export type ForecastQuery = z.infer<typeof forecastQuery>;

/** What was predicted at the moment, what was received, and the steps from one to the other, which add up. */
export const forecast = z.object({
  mes: month,
  at: instant,
  previsto: z.int(),
  recebido: z.int(),
  passos: z.array(forecastStep),
});
export type Forecast = z.infer<typeof forecast>;

export const forecastApi = {
  show: get('/finance/months/:month/forecast', {
    summary: 'Compara o que era previsto de um mês em um momento com o que foi recebido',
    tags: ['finance'],
    params: monthParams,
    query: forecastQuery,
    answer: forecast,
  }),
};
