import * as z from 'zod/mini';
import { get, type RateLimitOptions } from '../../platform/http/calls.api.js';
import type { ErrorTable } from '../../platform/http/common.api.js';
import type { ZoneName } from '../settings/settings.api.js';

/** Time zone of each state, among those that the settings offer. */
export const stateZones = {
  AC: 'America/Rio_Branco',
  AM: 'America/Manaus',
  RO: 'America/Manaus',
  RR: 'America/Manaus',
  MT: 'America/Cuiaba',
  MS: 'America/Cuiaba',
  PA: 'America/Belem',
  AP: 'America/Belem',
  AL: 'America/Fortaleza',
  BA: 'America/Fortaleza',
  CE: 'America/Fortaleza',
  MA: 'America/Fortaleza',
  PB: 'America/Fortaleza',
  PE: 'America/Fortaleza',
  PI: 'America/Fortaleza',
  RN: 'America/Fortaleza',
  SE: 'America/Fortaleza',
  TO: 'America/Sao_Paulo',
  DF: 'America/Sao_Paulo',
  ES: 'America/Sao_Paulo',
  GO: 'America/Sao_Paulo',
  MG: 'America/Sao_Paulo',
  PR: 'America/Sao_Paulo',
  RJ: 'America/Sao_Paulo',
  RS: 'America/Sao_Paulo',
  SC: 'America/Sao_Paulo',
  SP: 'America/Sao_Paulo',
} as const satisfies Record<string, ZoneName>;

const postalCodeParams = z.object({ cep: z.string().check(z.regex(/^\d{8}$/, 'CEP inválido')) });

/** Street and neighbourhood are empty for a town with a single postal code. */
export const postalAddress = z.object({
  cep: z.string(),
  logradouro: z.string(),
  bairro: z.string(),
  cidade: z.string(),
  uf: z.string(),
});
export type PostalAddress = z.infer<typeof postalAddress>;

export const postalCodeErrors = {
  'postal_codes.not_found': { status: 404, title: 'CEP não encontrado' },
  'postal_codes.switched_off': { status: 404, title: 'Busca de CEP desativada' },
  'postal_codes.unavailable': { status: 503, title: 'Erro ao buscar CEP' },
} as const satisfies ErrorTable;

const BY_PERSON: RateLimitOptions = { name: 'postal-codes', points: 60, seconds: 600, byPerson: true };

export const postalCodesApi = {
  find: get('/postal-codes/:cep', {
    summary: 'Busca o endereço de um CEP',
    tags: ['locations'],
    params: postalCodeParams,
    answer: postalAddress,
    limit: BY_PERSON,
  }),
};
