import * as z from 'zod/mini';
import { get, post, patch, remove } from '../../platform/http/calls.api.js';
import {
  created,
  type ErrorTable,
  id,
  instant,
  name,
  optionalText,
  page,
  pageQuery,
  undoable,
} from '../../platform/http/common.api.js';

const fields = {
  nome: name(1, 80, 'Informe o nome'),
  /** Street, number, optional complement, neighbourhood, city and state as one text. */
  endereco: optionalText(300),
  /** Eight digits; `01310-100` is accepted too. */
  cep: z.nullable(
    z.string().check(
      z.regex(/^\d{5}-?\d{3}$/, { error: 'CEP inválido', abort: true }),
      z.overwrite((typed) => typed.replace('-', '')),
    ),
  ),
  is_active: z.boolean(),
};

/** Travel time in minutes to another location, the same in both directions; 0 removes it. */
const way = z.strictObject({
  location_id: id,
  minutos: z.int().check(z.minimum(0), z.maximum(240, 'Use no máximo 240 minutos')),
});
const ways = z.array(way).check(z.maxLength(100));

export const newLocation = z.strictObject({
  ...fields,
  endereco: z._default(fields.endereco, null),
  cep: z._default(fields.cep, null),
  is_active: z._default(fields.is_active, true),
  deslocamentos: z._default(ways, []),
});
export type NewLocation = z.infer<typeof newLocation>;

/** `deslocamentos`: only the travel times that change. */
export const locationChanges = z.strictObject({
  ...undoable(z.partial(z.strictObject(fields)).shape),
  deslocamentos: z.optional(ways),
});
export type LocationChanges = z.infer<typeof locationChanges>;

export const location = z.object({
  id,
  nome: z.string(),
  endereco: z.nullable(z.string()),
  cep: z.nullable(z.string()),
  is_active: z.boolean(),
  /** Travel times that were entered; free times shown to students and visitors leave room for them. */
  deslocamentos: z.array(way),
  criado_em: instant,
});
export type Location = z.infer<typeof location>;

/** `situacao`: active or inactive locations; both where absent. */
const locationList = z.strictObject({
  ...pageQuery,
  cursor: z.optional(id),
  situacao: z.optional(z.enum(['ativos', 'inativos'])),
});

/** Sorted by name; `total` counts all pages. */
export const locationPage = z.extend(page(location), { total: z.int() });
export type LocationPage = z.infer<typeof locationPage>;

export const locationErrors = {
  'locations.not_found': { status: 404, title: 'Local não encontrado' },
  'locations.same_place': { status: 422, title: 'Escolha outro local' },
  'locations.in_use': {
    status: 409,
    title:
      'Não é possível remover o local: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
  },
} as const satisfies ErrorTable;

export const locationsApi = {
  list: get('/locations', { summary: 'Lista locais', query: locationList, answer: locationPage }),
  add: post('/locations', { summary: 'Cadastra um local', body: newLocation, answer: created, status: 201 }),
  get: get('/locations/:id', { summary: 'Mostra um local', answer: location }),
  update: patch('/locations/:id', {
    summary: 'Altera, ativa ou inativa um local',
    body: locationChanges,
    answer: created,
  }),
  remove: remove('/locations/:id', { summary: 'Exclui um local sem vínculos', answer: created }),
  restore: post('/locations/:id/restore', { summary: 'Desfaz a exclusão de um local', answer: created }),
};
