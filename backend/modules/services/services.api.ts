import * as z from 'zod/mini';
import { colour } from '../../platform/colours.api.js';
import { get, patch, post, remove } from '../../platform/http/calls.api.js';
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
  rule,
  undoable,
} from '../../platform/http/common.api.js';

const MOST_LOCATIONS = 50;

const MINUTES = 'Use de 15 a 180 minutos';
const LINK = 'Informe um endereço que comece com https://';

function isMeeting(typed: string): boolean {
  if (!URL.canParse(typed)) return false;
  const { protocol, username, password } = new URL(typed);
  return protocol === 'https:' && username === '' && password === '';
}

const fields = {
  nome: name(2, 60, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  duracao_min: z.int(MINUTES).check(z.minimum(15, MINUTES), z.maximum(180, MINUTES)),
  /** Cents: the price of a single one; null: what a credit of the student's plan is worth. */
  valor: z.nullable(z.int().check(z.nonnegative(), z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'))),
  /** Whether it takes one of the student's credits. */
  usa_credito: z.boolean(),
  cor: colour,
  /** Ids of the locations at which it takes place; null: at all. */
  locais: z.nullable(
    z.array(id).check(z.minLength(1, 'Escolha pelo menos um local'), z.maxLength(MOST_LOCATIONS)),
  ),
  /** The address of an online meeting, which has no location; null where it takes place somewhere. */
  endereco: optionalText(500).check(z.refine((typed) => typed === null || isMeeting(typed), { error: LINK })),
  /** Whether visitors of the public page may choose it. */
  na_pagina: z.boolean(),
  /** Whether students may choose it. */
  para_alunos: z.boolean(),
};

export const ONLINE_NOT_ON_PAGE = 'Um serviço online não aparece no link público';

interface Where {
  locais?: readonly string[] | null | undefined;
  endereco?: string | null | undefined;
  na_pagina?: boolean | undefined;
}
const somewhere = rule<Where>(
  ({ locais, endereco }) => !locais || !endereco,
  'Um serviço online não tem local',
  ['locais'],
);
const atPlaces = rule<Where>(({ na_pagina, endereco }) => !na_pagina || !endereco, ONLINE_NOT_ON_PAGE, [
  'na_pagina',
]);

export const newService = z
  .strictObject({
    ...fields,
    valor: z._default(fields.valor, null),
    usa_credito: z._default(fields.usa_credito, true),
    cor: z._default(fields.cor, 'azul'),
    locais: z._default(fields.locais, null),
    endereco: z._default(fields.endereco, null),
    na_pagina: z._default(fields.na_pagina, false),
    para_alunos: z._default(fields.para_alunos, false),
  })
  .check(somewhere, atPlaces);
export type NewService = z.infer<typeof newService>;

export const serviceChanges = z
  .strictObject(undoable(z.partial(z.strictObject({ ...fields, is_active: z.boolean() })).shape))
  .check(somewhere, atPlaces);
export type ServiceChanges = z.infer<typeof serviceChanges>;

export const service = z.object({
  id,
  nome: z.string(),
  duracao_min: z.int(),
  valor: z.nullable(cents),
  usa_credito: z.boolean(),
  cor: colour,
  locais: z.nullable(z.array(id)),
  endereco: z.nullable(z.string()),
  na_pagina: z.boolean(),
  para_alunos: z.boolean(),
  is_active: z.boolean(),
  criado_em: instant,
});
export type Service = z.infer<typeof service>;

/** `situacao`: only active or only inactive ones; both if absent. */
const serviceList = z.strictObject({
  ...pageQuery,
  cursor: z.optional(id),
  situacao: z.optional(z.enum(['ativos', 'inativos'])),
});

/** By name; `total` counts all pages. */
export const servicePage = z.extend(page(service), { total: z.int() });
export type ServicePage = z.infer<typeof servicePage>;

/** The service of a session, as it is called now; `usa_credito` as it was agreed. */
export const sessionService = z.object({
  id,
  usa_credito: z.boolean(),
  nome: z.string(),
  cor: colour,
  endereco: z.nullable(z.string()),
});

export const serviceErrors = {
  'services.not_found': { status: 404, title: 'Serviço não encontrado' },
  'services.in_use': {
    status: 409,
    title: 'Não é possível remover o serviço: possui vínculos (agendamentos). Use Inativar se disponível.',
  },
  'services.inactive': { status: 409, title: 'Serviço inativo' },
} as const satisfies ErrorTable;

export const servicesApi = {
  list: get('/services', { summary: 'Lista serviços', query: serviceList, answer: servicePage }),
  create: post('/services', {
    summary: 'Cadastra um serviço',
    body: newService,
    answer: created,
    status: 201,
  }),
  get: get('/services/:id', { summary: 'Mostra um serviço', answer: service }),
  update: patch('/services/:id', {
    summary: 'Altera, ativa ou inativa um serviço',
    body: serviceChanges,
    answer: created,
  }),
  remove: remove('/services/:id', { summary: 'Exclui um serviço sem vínculos', answer: created }),
  restore: post('/services/:id/restore', { summary: 'Desfaz a exclusão de um serviço', answer: created }),
};
