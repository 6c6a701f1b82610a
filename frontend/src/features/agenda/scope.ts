import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SeriesChanges, SeriesScope } from '../../../../backend/modules/series/series.api.js';
import { isLocal } from '../../lib/outbox.js';

/** The sessions to which a change applies: only this one, or others of its series too. */
export type Scope = 'esta' | SeriesScope;

/** What to do with sessions that do not fit at the new time. */
export type Impeded = NonNullable<SeriesChanges['impedidas']>;

/** The question of the sheet. */
export type Question =
  | { kind: 'scope'; verb: string; isOfSeries: boolean; answer: (scope: Scope | null) => void }
  | { kind: 'impeded'; message: string; isNew: boolean; answer: (what: Impeded | null) => void };

let asked: Question | null = null;
const listeners = new Set<() => void>();

const put = (question: Question | null) => {
  asked = question;
  for (const listener of listeners) listener();
};

export const currentQuestion = (): Question | null => asked;
export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the sheet with a question; null if it is closed without an answer. */
function ask<Answer>(question: (answer: (what: Answer | null) => void) => Question): Promise<Answer | null> {
  return new Promise((resolve) => {
    put(
      question((what) => {
        put(null);
        resolve(what);
      }),
    );
  });
}

/** Whether a session can change together with its series: only a scheduled future one. */
export const isInSeries = ({ id, serie_id, status, inicio }: Session): boolean =>
  serie_id !== null && status === 'agendada' && !isLocal(id) && Date.parse(inicio) > Date.now();

/** Asks to which sessions a change applies, if it can be more than one. `isOfSeries`: it cannot be only one. */
export const askScope = (session: Session, verb: string, isOfSeries = false): Promise<Scope | null> =>
  isInSeries(session)
    ? ask<Scope>((answer) => ({ kind: 'scope', verb, isOfSeries, answer }))
    : Promise.resolve<Scope>('esta');

/** `isNew`: the sessions that do not fit would be booked, not moved. */
export const askImpeded = (message: string, isNew: boolean): Promise<Impeded | null> =>
  ask<Impeded>((answer) => ({ kind: 'impeded', message, isNew, answer }));
