import type { LocationChanges } from '../../../../backend/modules/locations/locations.api.js';
import { maskCep } from '../../lib/masks.js';
import type { Waiting } from '../../lib/outbox.js';

export const locationDraft = (id: string): string => `local.${id}`;

/** The form of an edit that the server refused, with what was typed. */
export function editLocation({ subject, body }: Waiting) {
  const { cep, endereco, ...rest } = body as LocationChanges;
  return {
    to: `/locais?editar=${subject}`,
    draft: locationDraft(subject),
    values: {
      ...rest,
      ...(cep !== undefined && { cep: maskCep(cep ?? '') }),
      ...(endereco !== undefined && { endereco: endereco ?? '' }),
    },
  };
}
