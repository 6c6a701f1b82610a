import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SeriesChanges, SeriesScope } from '../../../../backend/modules/series/series.api.js';
import { isLocal } from '../../lib/outbox.js';

/** For which sessions something is meant: this one alone, or others of its series too. */
export type Scope = 'esta' | SeriesScope;

/** What becomes of sessions that do not fit at the new time. */
export type Impeded = NonNullable<SeriesChanges['impedidas']>;

/** What the sheet asks. */
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

/** Opens the sheet that asks; null where it is closed without an answer. */
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

/** Only what is scheduled and to come changes together with others. */
export const isInSeries = ({ id, serie_id, status, inicio }: Session): boolean =>
  serie_id !== null && status === 'agendada' && !isLocal(id) && Date.parse(inicio) > Date.now();

/** Asks for which sessions something is meant, where there can be more than one. `isOfSeries`: one alone cannot be meant. */
export const askScope = (session: Session, verb: string, isOfSeries = false): Promise<Scope | null> =>
  isInSeries(session)
    ? ask<Scope>((answer) => ({ kind: 'scope', verb, isOfSeries, answer }))
    : Promise.resolve<Scope>('esta');

/** `isNew`: those that do not fit are to be booked, not moved. */
export const askImpeded = (message: string, isNew: boolean): Promise<Impeded | null> =>
  ask<Impeded>((answer) => ({ kind: 'impeded', message, isNew, answer }));
