import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, type ErrorTable, instant, rule } from '../../platform/http/common.api.js';

const MOST_YEARS = 2;

/** The first day of the longest period that ends on this day. */
export const firstDayTo = (ate: string): string => `${Number(ate.slice(0, 4)) - MOST_YEARS}${ate.slice(4)}`;

/** The days of a dossier, both included. */
export const dossierQuery = z.strictObject({ de: calendarDate, ate: calendarDate }).check(
  rule(({ de, ate }) => de <= ate, 'O fim do período vem depois do início', ['ate']),
  rule(({ de, ate }) => de >= firstDayTo(ate), 'Escolha um período de até 24 meses', ['ate']),
);
export type DossierQuery = z.infer<typeof dossierQuery>;

/** What a dossier of these days holds. */
export const dossierPreview = z.object({
  /** The contract in force at the end of the period; its title is null once the student is forgotten. */
  contrato: z.nullable(z.object({ titulo: z.nullable(z.string()), versao: z.int(), assinado_em: instant })),
  regras: z.int(),
  sessoes: z.int(),
  canceladas: z.int(),
  creditos: z.int(),
  cobrancas: z.int(),
  pagamentos: z.int(),
  mensagens: z.int(),
  /** Records of the log that are named as sources. */
  registros: z.int(),
  /** The first day that is sealed with all of them; null before that. */
  lacrado_em: z.nullable(calendarDate),
});
export type DossierPreview = z.infer<typeof dossierPreview>;

export const dossierErrors = {
  'dossier.nothing': { status: 422, title: 'Nada aconteceu neste período' },
  'dossier.too_long': { status: 422, title: 'Há registros demais para um arquivo. Escolha um período menor' },
} as const satisfies ErrorTable;

export const dossierApi = {
  preview: get('/students/:id/dossier', {
    summary: 'Mostra o que o dossiê de um aluno teria em um período',
    query: dossierQuery,
    answer: dossierPreview,
  }),
};
