import * as z from 'zod/mini';
import { type ErrorTable, instant } from '../../platform/http/common.api.js';

/** Days for which a link to a student's area holds. */
export const AREA_LINK_DAYS = 90;

export const areaLinksErrors = {
  'area_links.not_valid': { status: 404, title: 'Link inválido ou expirado' },
} as const satisfies ErrorTable;

/** A link that was just made. */
export const newAreaLink = z.object({ url: z.string(), expires_at: instant });
export type NewAreaLink = z.infer<typeof newAreaLink>;

/** What the page of a link greets with. */
export const ownArea = z.object({
  primeiro_nome: z.string(),
  /** The trainer's name. */
  personal: z.string(),
  /** IANA name. */
  timezone: z.string(),
  /** Of the trainer's log, up to which everything else of the area is shown: as long as it is the same, so is that. */
  posicao: z.int(),
});
export type OwnArea = z.infer<typeof ownArea>;
