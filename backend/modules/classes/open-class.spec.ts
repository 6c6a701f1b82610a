import { describe, expect, it } from '@jest/globals';
import { decideMinimum, decideSet, type OpenClass, openClass } from './open-class.js';

const settings = {
  aberta: true,
  nome: 'Funcional',
  vagas: 6,
  ate_horas: 2,
  minimo_alunos: 2,
  minimo_horas: 3,
};
const about = { class_id: 'c', session_id: 's', em: '2030-11-05T10:00:00.000Z' };
const set = (more: object = {}): OpenClass =>
  openClass.evolve(undefined, { type: 'ClassSet', data: { ...about, ...settings, ...more } })!;
/** At 20:00, decided at 17:00. */
const hour = { grupo_id: 'g', inicio: '2030-11-05T20:00:00.000Z', session_ids: ['s'] };
const at = (time: string) => new Date(`2030-11-05T${time}:00.000Z`);
const decided = (state: OpenClass, time = '17:00', session_ids = ['s'], moved: Date | null = null) =>
  decideMinimum(state, { ...hour, session_ids, moved }, at(time)).map(({ data }) => data.acontece);

describe('the minimum of a class', () => {
  it('is decided from its time until the start, by how many come', () => {
    expect(decided(set(), '16:59')).toEqual([]);
    expect(decided(set())).toEqual([false]);
    expect(decided(set(), '19:59', ['s', 't'])).toEqual([true]);
    expect(decided(set(), '20:00')).toEqual([]);
  });

  it('is decided once, also where the read tables do not know of it yet', () => {
    const [event] = decideMinimum(set(), hour, at('17:00'));
    const after = openClass.evolve(set(), event!)!;
    expect([decided(after), after.decididas, after.desmarcadas]).toEqual([[], ['g'], ['g']]);
  });

  it('is not decided where it was set, or the hour moved, later than its time, without one, or where nobody comes', () => {
    expect(decided(set(), '18:00', ['s'], at('17:01'))).toEqual([]);
    expect(decided(set(), '18:00', ['s'], at('16:59'))).toEqual([false]);
    expect(decided(set({ em: '2030-11-05T17:01:00.000Z' }), '18:00')).toEqual([]);
    expect(decided(set({ minimo_alunos: null }))).toEqual([]);
    expect(decided(set(), '17:00', [])).toEqual([]);
  });
});

it('settings of a class that are as they were are not set again', () => {
  expect(decideSet(set(), settings, about)).toEqual([]);
  expect(decideSet(set(), { ...settings, vagas: 7 }, about)).toHaveLength(1);
});
