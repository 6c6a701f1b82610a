import type { Aggregate } from '../../platform/event-store/aggregate.js';

interface About {
  /** Their place in the queue. */
  wait_id: string;
  grupo_id: string;
  student_id: string;
  /** Start of the hour. */
  inicio: string;
}

/** They left, did not answer an offer, got a seat, or the class can no longer be entered, or not by this student. */
type WaitEnd = 'saiu' | 'sem_resposta' | 'entrou' | 'aula' | 'aluno';

export type SeatQueueEvent =
  | { type: 'SeatAwaited'; data: About }
  /** A seat is theirs until `ate`. */
  | { type: 'SeatOffered'; data: About & { ate: string } }
  /** The seat was taken again by the trainer; they keep their place. */
  | { type: 'SeatOfferEnded'; data: About }
  | { type: 'SeatWaitEnded'; data: About & { motivo: WaitEnd } };

interface Place {
  wait_id: string;
  student_id: string;
  /** Until when a seat is theirs; null while none is. */
  ate: string | null;
}

export interface SeatQueue {
  inicio: string | null;
  /** In turn. */
  fila: Place[];
}

const again = { schemaVersion: 1, uses: 'nothing new' } as const;

/** Who waits for a seat in the hour of a class; the stream's id is the group's. */
export const seatQueue: Aggregate<SeatQueue, SeatQueueEvent> = {
  name: 'seat-queue',
  initialState: { inicio: null, fila: [] },
  evolve(state, { type, data }) {
    const { wait_id, student_id, inicio } = data;
    const changed = (ate: string | null) =>
      state.fila.map((one) => (one.student_id === student_id ? { ...one, ate } : one));
    switch (type) {
      case 'SeatAwaited':
        return { inicio, fila: [...state.fila, { wait_id, student_id, ate: null }] };
      case 'SeatOffered':
        return { ...state, fila: changed(data.ate) };
      case 'SeatOfferEnded':
        return { ...state, fila: changed(null) };
      case 'SeatWaitEnded':
        return { ...state, fila: state.fila.filter((one) => one.student_id !== student_id) };
    }
  },
  events: {
    SeatAwaited: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    SeatOffered: again,
    SeatOfferEnded: again,
    SeatWaitEnded: again,
  },
};

/** How many seats are for a student: the free ones but those of who stands before. */
export function seatsFor(
  fila: readonly Pick<Place, 'student_id'>[],
  student_id: string,
  free: number,
): number {
  const place = fila.findIndex((one) => one.student_id === student_id);
  return Math.max(0, free - (place < 0 ? fila.length : place));
}

/** No event for a student who does not wait. */
export const decideWaitEnd = (
  { inicio, fila }: SeatQueue,
  grupo_id: string,
  student_id: string,
  motivo: WaitEnd,
): SeatQueueEvent[] =>
  fila
    .filter((one) => one.student_id === student_id)
    .map(({ wait_id }) => ({
      type: 'SeatWaitEnded',
      data: { wait_id, grupo_id, student_id, inicio: inicio!, motivo },
    }));

interface Round {
  grupo_id: string;
  /** Null where the hour can no longer be entered. */
  free: number | null;
  /** Until when a seat is held for somebody who hears of it now. */
  until: number;
  now: Date;
  /** Those who may not enter any more, or are in the class already. */
  gone: ReadonlyMap<string, 'aluno' | 'entrou'>;
}

/** What is due: who leaves the queue, and whose turn it is. */
export function decideQueue({ inicio, fila }: SeatQueue, round: Round): SeatQueueEvent[] {
  const { grupo_id, free, until, now, gone } = round;
  const ends = fila.map(({ student_id, ate }): WaitEnd | undefined => {
    if (free === null) return 'aula';
    return gone.get(student_id) ?? (ate && Date.parse(ate) <= now.getTime() ? 'sem_resposta' : undefined);
  });
  const staying = fila.filter((_, at) => !ends[at]);
  return [
    ...fila.flatMap(({ ate: _, ...place }, at): SeatQueueEvent[] =>
      ends[at]
        ? [{ type: 'SeatWaitEnded', data: { ...place, grupo_id, inicio: inicio!, motivo: ends[at] } }]
        : [],
    ),
    ...staying.flatMap(({ ate, ...place }, at): SeatQueueEvent[] => {
      const about = { ...place, grupo_id, inicio: inicio! };
      if (at >= (free ?? 0)) return ate === null ? [] : [{ type: 'SeatOfferEnded', data: about }];
      if (ate !== null) return [];
      return [{ type: 'SeatOffered', data: { ...about, ate: new Date(until).toISOString() } }];
    }),
  ];
}
