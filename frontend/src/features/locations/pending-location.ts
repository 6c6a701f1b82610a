import type { LocationChanges } from '../../../../backend/modules/locations/locations.api.js';
import { maskCep } from '../../lib/masks.js';
import type { Waiting } from '../../lib/outbox.js';

/** Travel times as values of the form's fields. */
export const typedWays = (
  ways: readonly { location_id: string; minutos: number }[],
): Record<string, string> =>
  Object.fromEntries(ways.map(({ location_id, minutos }) => [location_id, minutos ? String(minutos) : '']));

/** Travel times in the form of the request body. */
export const waysOf = (typed: Readonly<Record<string, string>>) =>
  Object.entries(typed).map(([location_id, minutes]) => ({ location_id, minutos: Number(minutes) }));

export const locationDraft = (id: string): string => `local.${id}`;

/** Form values of an edit that the server refused. */
export function editLocation({ subject, body }: Waiting) {
  const { cep, endereco, deslocamentos, ...rest } = body as LocationChanges;
  return {
    to: `/locais?editar=${subject}`,
    draft: locationDraft(subject),
    values: {
      ...rest,
      ...(cep !== undefined && { cep: maskCep(cep ?? '') }),
      ...(endereco !== undefined && { endereco: endereco ?? '' }),
      ...(deslocamentos && { deslocamentos: typedWays(deslocamentos) }),
    },
  };
}
