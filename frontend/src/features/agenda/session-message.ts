import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDay, formatTime, timeOf, type Day } from '../../lib/dates.js';

type About = Pick<Session, 'inicio' | 'status' | 'motivo' | 'location_nome'>;

/** The message to a student about a session: a reminder of a future one, otherwise a text about its status. */
export function sessionMessage(
  { inicio, status, motivo, location_nome }: About,
  firstName: string,
  { today, zone }: { today: Day; zone: string },
): string {
  const when = `${formatDay(dayOf(inicio, zone), today)}, às ${formatTime(timeOf(inicio, zone))}`;
  if (status === 'feita') return `Oi, ${firstName}! Tudo certo depois da aula de ${when}?`;
  if (motivo === 'falta')
    return `Oi, ${firstName}! Senti sua falta na aula de ${when}. Está tudo bem? Vamos remarcar?`;
  if (status === 'cancelada')
    return `Oi, ${firstName}! A aula de ${when} foi cancelada. Qual horário fica bom para você remarcar?`;
  const where = location_nome ? ` Local: ${location_nome}.` : '';
  return `Oi, ${firstName}! Lembrando da sua aula: ${when}.${where} Confirma?`;
}
