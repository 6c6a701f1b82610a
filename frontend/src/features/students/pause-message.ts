import type { PauseChanged } from '../../../../backend/modules/student-pauses/student-pauses.api.js';
import { type Day, formatDate, formatMoment } from '../../lib/dates.js';

/** The most classes that a message names; the others are counted. */
const MOST_NAMED = 10;

type Changed = Pick<PauseChanged, 'canceladas' | 'reabertas'> & { ate: Day | null };

/** Tells a student until when the pause is, or that it is over, and what became of the classes. */
export function pauseMessage(
  firstName: string,
  { ate, canceladas, reabertas }: Changed,
  zone: string,
): string {
  const listed = (one: string, many: string, starts: readonly string[]) => {
    const [first, ...others] = starts.map((start) => formatMoment(start, zone));
    if (first === undefined) return [];
    if (others.length === 0) return [`${one} ${first}.`];
    const named = [first, ...others.slice(0, MOST_NAMED - 1)];
    const more = starts.length - named.length;
    return [many, ...named.map((when) => `• ${when}`), ...(more > 0 ? [`• e mais ${more}`] : [])];
  };
  return [
    `Oi, ${firstName}! ${ate === null ? 'Sua pausa acabou.' : `Sua pausa vai até ${formatDate(ate)}.`}`,
    ...listed('Desmarquei a nossa aula de', 'Desmarquei as nossas aulas:', canceladas),
    ...listed('Voltou à agenda a nossa aula de', 'Voltaram à agenda as nossas aulas:', reabertas),
  ].join('\n');
}
