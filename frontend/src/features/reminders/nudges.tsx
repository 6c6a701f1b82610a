import { type Nudge, nudgeReason, type NudgeReason } from '../../../../backend/modules/nudges/nudges.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSendTo } from '../../lib/command.js';
import { type Day, formatDay, formatMoment } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';
import { useToday, useZone } from '../../lib/zone.js';
import { PreparedMessages } from './prepared-messages.js';

const NUDGES = reads('nudges', ['students', 'sessions', 'availability', 'credits', 'charges', 'plans']);

export const useNudges = () => useAnswer([NUDGES], 'GET /nudges');

const titles: Record<NudgeReason, string> = {
  turma: 'Turma cancelada',
  renovar: 'Créditos acabaram',
  aniversario: 'Aniversário hoje',
  sumindo: 'Alunos sumindo',
};

/** Messages about cancelled classes, used-up credits and birthdays, and to students who come less. */
export function Nudges({ items }: { items: readonly Nudge[] }) {
  const today = useToday();
  const zone = useZone();
  const { mutateAsync: markSent } = useSendTo('POST /students/:id/nudges');
  const { mutateAsync: dismiss } = useSendTo('POST /students/:id/nudges/dismissed');
  const { mutateAsync: markUnsent } = useSendTo('POST /nudges/:id/unsent');
  return nudgeReason.options.map((motivo) => {
    const some = items.filter((nudge) => nudge.motivo === motivo);
    if (some.length === 0) return null;
    return (
      <PreparedMessages
        key={motivo}
        title={titles[motivo]}
        done="Mensagem enviada"
        items={some.map((nudge) => {
          const { id, student_id, session_id, student_nome, texto, link, dispensada } = nudge;
          const about = { id: student_id, motivo, ...(session_id && { session_id }) };
          return {
            key: session_id ?? student_id,
            studentId: student_id,
            name: student_nome,
            text: texto,
            link,
            fact: factOf(nudge, today, zone),
            undoable: true,
            outcome: id === null ? null : dispensada ? 'Não vai enviar' : 'Mensagem pelo WhatsApp',
            unmark: () => markUnsent(id!),
            mark: async () => {
              const sent = await markSent(about);
              return { unmark: () => markUnsent(sent.id) };
            },
            dismiss: async () => {
              const dismissed = await dismiss(about);
              return { unmark: () => markUnsent(dismissed.id) };
            },
          };
        })}
      />
    );
  });
}

/** `Funcional, qui., 26 de nov., 19:00`; `plano 8 aulas`; `faz 36 anos`; `2 sessões em 4 semanas, antes 8`; `última sessão 12/11/2026` */
function factOf(nudge: Nudge, today: Day, zone: string): string {
  const { inicio, turma, plano, idade, ultimas, anteriores, ultima } = nudge;
  if (inicio !== null) return `${turma}, ${formatMoment(inicio, zone)}`;
  if (plano !== null) return `plano ${plano}`;
  if (idade !== null) return `faz ${plural(idade, 'ano', 'anos')}`;
  if (ultimas > 0) return `${plural(ultimas, 'sessão', 'sessões')} em 4 semanas, antes ${anteriores}`;
  return ultima === null ? 'nenhuma sessão ainda' : `última sessão ${formatDay(ultima, today)}`;
}
