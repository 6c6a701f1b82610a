import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SeriesChanges } from '../../../../backend/modules/series/series.api.js';
import { addDays, dayOf, formatDay, formatTime, formatWeekday, timeOf } from '../../lib/dates.js';
import { bookedMessage, type Booked, momentOf, type Now, placeIn } from '../../parts/booked-message.js';

type About = Pick<Session, 'inicio' | 'status' | 'motivo' | 'location_nome'> & Pick<Booked, 'servico'>;

/** Tells a student of what a copied week has booked. */
export function copiedMessage(sessions: readonly [Booked, ...Booked[]], firstName: string, now: Now): string {
  if (sessions.length === 1) return bookedMessage(sessions[0], firstName, now);
  const hours = sessions.map(({ inicio, location_nome, servico }) => {
    const where = location_nome ?? (servico?.endereco && `online: ${servico.endereco}`);
    return `• ${momentOf(inicio, now)}${where ? ` (${where})` : ''}`;
  });
  return [`Oi, ${firstName}! Agendei suas aulas:`, ...hours, 'Até lá!'].join('\n');
}

/** Tells a student of a new weekly hour. `words`: its days and time, as "Toda terça, 7:00". */
export const seriesBookedMessage = (
  { inicio, words, location_nome, servico }: Booked & { words: string },
  firstName: string,
  { today, zone }: Now,
): string =>
  `Oi, ${firstName}! Agendei suas aulas fixas a partir de ${formatDay(dayOf(inicio, zone), today)}: ${words.charAt(0).toLowerCase()}${words.slice(1)}.${placeIn(location_nome, servico?.endereco)}Até lá!`;

type Moved = Pick<Session, 'inicio' | 'fim'>;

/** Tells a student that a session was moved, or got another end or place. */
export function movedMessage(
  from: Moved,
  to: Moved & { location_nome?: string | null },
  firstName: string,
  now: Now,
): string {
  const [day, start] = [dayOf(from.inicio, now.zone), formatTime(timeOf(from.inicio, now.zone))];
  const when = formatDay(day, now.today);
  const where = placeIn(to.location_nome);
  const oi = `Oi, ${firstName}!`;
  if (to.inicio === from.inicio) {
    const end = formatTime(timeOf(to.fim, now.zone));
    return `${oi} Sua aula de ${when}, às ${start}, ${to.fim === from.fim ? 'mudou de local' : `agora vai até ${end}`}.${where}`.trimEnd();
  }
  const isSameDay = dayOf(to.inicio, now.zone) === day;
  const change = isSameDay
    ? `de ${when}: de ${start} para ${formatTime(timeOf(to.inicio, now.zone))}`
    : `de ${when}, às ${start}, para ${momentOf(to.inicio, now)}`;
  return `${oi} Mudei sua aula ${change}.${where}Tudo bem?`;
}

/** Tells a student of a change of a weekly hour, from this session on; null for one that the student need not know of. */
export function seriesMessage(
  { inicio, fim }: Moved,
  to: Omit<SeriesChanges, 'escopo'> | 'ended' | 'joined',
  firstName: string,
  { today, zone }: Now,
): string | null {
  const hourOf = (instant: string) =>
    `${formatWeekday(dayOf(instant, zone))}, às ${formatTime(timeOf(instant, zone))}`;
  const from = `a partir de ${formatDay(dayOf(inicio, zone), today)}`;
  const hour = hourOf(inicio);
  const oi = `Oi, ${firstName}!`;
  if (to === 'ended') return `${oi} Cancelei suas aulas fixas de ${hour}, ${from}.`;
  if (to === 'joined') return `${oi} Agora você tem aula fixa: ${hour}, ${from}. Até lá!`;
  if (to.dias) {
    // Any Sunday: its days have the names of all others.
    const names = to.dias
      .toSorted((one, other) => one - other)
      .map((day) => formatWeekday(addDays('2026-11-22', day)));
    return `${oi} Mudei os dias das suas aulas fixas, ${from}: ${names.join(', ')}, às ${formatTime(timeOf(inicio, zone))}. Tudo bem?`;
  }
  if (to.inicio && to.inicio !== inicio)
    return `${oi} Mudei sua aula fixa de ${hour}, para ${hourOf(to.inicio)}, ${from}. Tudo bem?`;
  if (to.fim && to.fim !== fim)
    return `${oi} Sua aula fixa de ${hour}, agora vai até ${formatTime(timeOf(to.fim, zone))}.`;
  return to.location_id === undefined ? null : `${oi} Sua aula fixa de ${hour}, mudou de local, ${from}.`;
}

/** The message to a student about a session: a reminder of a future one, otherwise a text about its status. */
export function sessionMessage(
  { inicio, status, motivo, location_nome, servico }: About,
  firstName: string,
  now: Now,
): string {
  const when = momentOf(inicio, now);
  if (status === 'feita') return `Oi, ${firstName}! Tudo certo depois da aula de ${when}?`;
  if (motivo === 'falta')
    return `Oi, ${firstName}! Senti sua falta na aula de ${when}. Está tudo bem? Vamos remarcar?`;
  if (status === 'cancelada')
    return `Oi, ${firstName}! A aula de ${when} foi cancelada. Qual horário fica bom para você remarcar?`;
  return `Oi, ${firstName}! Lembrando da sua aula: ${when}.${placeIn(location_nome, servico?.endereco)}Confirma?`;
}
