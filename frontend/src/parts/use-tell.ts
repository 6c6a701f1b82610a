import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { firstName } from '../../../backend/platform/first-name.api.js';
import type { Tell } from '../ui/toast.js';
import { studentQuery } from './students.queries.js';
import { whatsAppOf } from './whatsapp.js';

/** Makes the links that tell students something on WhatsApp: "Avisar Ana"; none for those without a number. */
export function useTell() {
  const client = useQueryClient();
  return async (ids: readonly string[], text: (firstName: string) => string): Promise<Tell[]> => {
    const links = await Promise.all(
      ids.map(async (id) => {
        const query = studentQuery(id);
        const known = client.getQueryData(query.queryKey);
        if (!known && !onlineManager.isOnline()) return [];
        const student = known ?? (await client.fetchQuery(query).catch(() => null));
        const first = student ? firstName(student.nome) : '';
        const href = student && whatsAppOf(student, text(first));
        return href ? [{ label: `Avisar ${first}`, href }] : [];
      }),
    );
    return links.flat();
  };
}
