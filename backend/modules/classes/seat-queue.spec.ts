import { describe, expect, it } from '@jest/globals';
import { decideQueue, type SeatQueue, seatQueue, seatsFor } from './seat-queue.js';

const now = new Date('2030-11-05T12:00:00.000Z');
const until = Date.parse('2030-11-05T13:00:00.000Z');
const inicio = '2030-11-05T22:00:00.000Z';
const queue = (...fila: [student_id: string, ate?: string][]): SeatQueue => ({
  inicio,
  fila: fila.map(([student_id, ate = null]) => ({ wait_id: `of ${student_id}`, student_id, ate })),
});
const held = '2030-11-05T12:30:00.000Z';
const over = '2030-11-05T12:00:00.000Z';

/** `ana offered`, in the order in which it happens. */
const round = (state: SeatQueue, free: number | null, gone: [string, 'aluno' | 'entrou'][] = []) =>
  decideQueue(state, { grupo_id: 'g', free, until, now, gone: new Map(gone) }).map(({ type, data }) =>
    [data.student_id, type, 'motivo' in data && data.motivo].filter(Boolean).join(' '),
  );

describe('the queue of a class', () => {
  it('offers each free seat to the next, once, and to nobody while there is none', () => {
    expect(round(queue(['ana'], ['bia'], ['caio']), 0)).toEqual([]);
    expect(round(queue(['ana'], ['bia'], ['caio']), 2)).toEqual(['ana SeatOffered', 'bia SeatOffered']);
    expect(round(queue(['ana', held], ['bia']), 1)).toEqual([]);
  });

  it('goes on to the next where an offer stays unanswered, and takes one back whose seat is gone', () => {
    expect(round(queue(['ana', over], ['bia']), 1)).toEqual([
      'ana SeatWaitEnded sem_resposta',
      'bia SeatOffered',
    ]);
    expect(round(queue(['ana', held], ['bia', held]), 1)).toEqual(['bia SeatOfferEnded']);
  });

  it('ends for who is in the class or no longer a student, and for all where it can no longer be entered', () => {
    const state = queue(['ana'], ['bia'], ['caio']);
    expect(
      round(state, 1, [
        ['ana', 'entrou'],
        ['bia', 'aluno'],
      ]),
    ).toEqual(['ana SeatWaitEnded entrou', 'bia SeatWaitEnded aluno', 'caio SeatOffered']);
    expect(round(state, null)).toEqual(['ana', 'bia', 'caio'].map((who) => `${who} SeatWaitEnded aula`));
  });

  it('keeps seats for those who stand before', () => {
    const { fila } = queue(['ana', held], ['bia']);
    expect(['ana', 'bia', 'caio'].map((who) => seatsFor(fila, who, 2))).toEqual([2, 1, 0]);
    expect(seatsFor([], 'caio', 2)).toBe(2);
  });

  it('knows the offers and who has left', () => {
    const about = { wait_id: 'of ana', grupo_id: 'g', student_id: 'ana', inicio };
    const events = [
      { type: 'SeatAwaited', data: about },
      { type: 'SeatOffered', data: { ...about, ate: held } },
    ] as const;
    const offered = events.reduce((state, event) => seatQueue.evolve(state, event), seatQueue.initialState);
    expect(offered).toEqual(queue(['ana', held]));
    expect(seatQueue.evolve(offered, { type: 'SeatOfferEnded', data: about })).toEqual(queue(['ana']));
    const left = { type: 'SeatWaitEnded', data: { ...about, motivo: 'saiu' } } as const;
    expect(seatQueue.evolve(offered, left)).toEqual(queue());
  });
});
