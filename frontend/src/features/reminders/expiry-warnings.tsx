import type { ExpiryWarning } from '../../../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSendTo } from '../../lib/command.js';
import { formatDay } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import { PreparedMessages } from './prepared-messages.js';

const WARNINGS = reads('expiry-warnings', ['credits', 'students']);

export const useExpiryWarnings = () => useAnswer([WARNINGS], 'GET /expiry-warnings');

/** Warnings of credits that expire. */
export function ExpiryWarnings({ items }: { items: readonly ExpiryWarning[] }) {
  const today = useToday();
  const { mutateAsync: markSent } = useSendTo('POST /expiry-warnings/:id/sent');
  const { mutateAsync: markUnsent } = useSendTo('POST /expiry-warnings/:id/unsent');
  return (
    <PreparedMessages
      title="Créditos vencendo"
      done="Aviso enviado"
      items={items.map(
        ({ id, student_id, student_nome, creditos, expira_em, texto, link, enviado_em, por_email }) => {
          const unmark = () => markUnsent(id);
          return {
            key: id,
            studentId: student_id,
            name: student_nome,
            text: texto,
            link,
            unmark,
            fact: `${plural(creditos, 'crédito vence', 'créditos vencem')} ${formatDay(expira_em, today)}`,
            outcome: enviado_em !== null ? 'Aviso pelo WhatsApp' : por_email ? 'Aviso por e-mail' : null,
            undoable: enviado_em !== null,
            mark: async () => {
              await markSent(id);
              return { unmark };
            },
          };
        },
      )}
    />
  );
}
