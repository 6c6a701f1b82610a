import * as z from 'zod/mini';
import { post, remove, get } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, instant } from '../../platform/http/common.api.js';

/** Days for which a link to a student's area is valid. */
export const AREA_LINK_DAYS = 90;

export const areaLinksErrors = {
  'area_links.not_valid': { status: 404, title: 'Link inválido ou expirado' },
} as const satisfies ErrorTable;

/** A link that was just made. */
export const newAreaLink = z.object({ url: z.string(), expires_at: instant });

/** The names that the page of a link shows. */
export const ownArea = z.object({
  primeiro_nome: z.string(),
  /** The trainer's name. */
  personal: z.string(),
  /** IANA name. */
  timezone: z.string(),
  /** Position of the trainer's log: as long as it is unchanged, all answers of the area are unchanged. */
  posicao: z.int(),
});
export type OwnArea = z.infer<typeof ownArea>;

export const areaLinksApi = {
  end: remove('/students/:id/area-link', { summary: 'Desativa o link da área de um aluno', answer: created }),
  show: get('/student/area', {
    summary: 'Mostra de quem é a área do aluno',
    roles: ['aluno'],
    byLink: true,
    answer: ownArea,
  }),
};

export const areaLinksCalls = {
  open: post('/students/:id/area-link', {
    summary: 'Gera o link da área de um aluno sem conta; o anterior deixa de valer',
    answer: newAreaLink,
    status: 201,
  }),
};
