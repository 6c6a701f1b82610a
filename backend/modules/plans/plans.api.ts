import * as z from 'zod/mini';
import { get, post, patch, remove } from '../../platform/http/calls.api.js';
import {
  created,
  cents,
  type ErrorTable,
  id,
  instant,
  name,
  optionalText,
  page,
  pageQuery,
  undoable,
} from '../../platform/http/common.api.js';

/** `pacote`: credits bought once. The others are billed on day 1 of each period (`periods`). */
export const planKind = z.enum(['pacote', 'mensal', 'trimestral', 'semestral', 'anual']);
export type PlanKind = z.infer<typeof planKind>;

/** By which periods plans are billed, in months, and how kind, price and day are said. */
export const periods = {
  mensal: { meses: 1, nome: 'Mensal', por: 'por mês', em: 'no dia 1 de cada mês' },
  trimestral: { meses: 3, nome: 'Trimestral', por: 'por trimestre', em: 'no dia 1, a cada 3 meses' },
  semestral: { meses: 6, nome: 'Semestral', por: 'por semestre', em: 'no dia 1, a cada 6 meses' },
  anual: { meses: 12, nome: 'Anual', por: 'por ano', em: 'no dia 1, a cada 12 meses' },
} as const;

/** The period of a plan that is billed again and again; null for a package. */
export const periodOf = (tipo: PlanKind) => (tipo === 'pacote' ? null : periods[tipo]);

const creditsMessage = 'Créditos deve ser um número positivo';

const fields = {
  nome: name(2, 80, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  descricao: optionalText(500),
  valor: z
    .int()
    .check(
      z.minimum(0, 'Valor deve ser maior que zero'),
      z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
    ),
  creditos: z
    .int({ error: ({ input }) => (Number.isFinite(input) ? 'Informe um número inteiro' : creditsMessage) })
    .check(z.minimum(0, creditsMessage), z.maximum(1000, 'Use no máximo 1000 créditos')),
  /** Days after the grant at whose end its credits expire; null: never. */
  validade_dias: z.nullable(z.int().check(z.minimum(1), z.maximum(3650))),
  tipo: planKind,
};

export const newPlan = z.strictObject({
  ...fields,
  descricao: z._default(fields.descricao, null),
  validade_dias: z._default(fields.validade_dias, null),
  tipo: z._default(planKind, 'pacote'),
});
export type NewPlan = z.infer<typeof newPlan>;

export const planChanges = z.strictObject(
  undoable(z.partial(z.strictObject({ ...fields, is_active: z.boolean() })).shape),
);
export type PlanChanges = z.infer<typeof planChanges>;

export const plan = z.object({
  id,
  nome: z.string(),
  descricao: z.nullable(z.string()),
  valor: cents,
  creditos: z.int(),
  validade_dias: z.nullable(z.int()),
  tipo: planKind,
  is_active: z.boolean(),
  criado_em: instant,
});
export type Plan = z.infer<typeof plan>;

/** `situacao`: only active or only inactive ones; both if absent. */
const planList = z.strictObject({
  ...pageQuery,
  cursor: z.optional(id),
  situacao: z.optional(z.enum(['ativos', 'inativos'])),
});

/** By name; `total` counts all pages. */
export const planPage = z.extend(page(plan), { total: z.int() });
export type PlanPage = z.infer<typeof planPage>;

export const planErrors = {
  'plans.not_found': { status: 404, title: 'Plano não encontrado' },
  'plans.in_use': {
    status: 409,
    title:
      'Não é possível remover o plano: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
  },
  'plans.kind_in_use': { status: 409, title: 'O tipo do plano não muda enquanto há alunos nele' },
  'plans.inactive': { status: 409, title: 'Plano inativo' },
} as const satisfies ErrorTable;

export const plansApi = {
  list: get('/plans', { summary: 'Lista planos', query: planList, answer: planPage }),
  create: post('/plans', { summary: 'Cadastra um plano', body: newPlan, answer: created, status: 201 }),
  get: get('/plans/:id', { summary: 'Mostra um plano', answer: plan }),
  update: patch('/plans/:id', {
    summary: 'Altera, ativa ou inativa um plano',
    body: planChanges,
    answer: created,
  }),
  remove: remove('/plans/:id', { summary: 'Exclui um plano sem vínculos', answer: created }),
  restore: post('/plans/:id/restore', { summary: 'Desfaz a exclusão de um plano', answer: created }),
};
