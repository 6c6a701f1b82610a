import { describe, expect, it } from '@jest/globals';
import { openHours } from '../availability/free-times.js';
import { holidays } from '../holidays/holiday-calendar.js';
import { type Busy, isTaken, obstaclesAt } from './obstacles.queries.js';

const at = (hour: number) => Date.UTC(2030, 10, 4, 3) + hour * 3_600_000;
const place = { inicio: new Date(at(7)).toISOString(), fim: new Date(at(8)).toISOString() };
const rules = { rules: [], exceptions: [], vacations: [], zone: 'America/Sao_Paulo' };
const found = (...busy: Busy[]) => obstaclesAt(place, { busy, rules, holidays: holidays.initialState });
const taken = (texto: string) => ({ tipo: 'ocupado', texto });

it.each([
  ['08:00', '12:00', '7:00 é antes do seu horário (8:00)'],
  ['05:00', '07:30', '8:00 é depois do seu horário (7:30)'],
])('a time outside of the hours from %s to %s says so: "%s"', (start_time, end_time, texto) => {
  const { weekday } = openHours(at(7), rules);
  const hours = { id: 'row', day_of_week: weekday, start_time, end_time, is_blocked: false };
  const known = { busy: [], rules: { ...rules, rules: [hours] }, holidays: holidays.initialState };
  expect(obstaclesAt(place, known)).toEqual([{ tipo: 'fora_do_horario', texto }]);
});

describe('the sessions that take a time', () => {
  const session = (nome: string, from = 7, to = 8) => ({ from: at(from), to: at(to), nome });

  it('are named with their times; adjacent ones do not count', () => {
    expect(found(session('Ana Souza', 7.5, 8.5), session('Bia', 8, 9), session('Caio', 6, 7))).toEqual([
      taken('Ana já tem sessão das 7:30 às 8:30'),
    ]);
    expect(found({ from: at(6), to: at(9), elsewhere: true })).toEqual([
      taken('Ocupado no outro calendário das 6:00 às 9:00'),
    ]);
    expect(found({ ...session(''), nome: null })).toEqual([taken('Já há sessão das 7:00 às 8:00')]);
  });

  it('are only counted after the first three', () => {
    const four = ['Ana', 'Bia', 'Caio', 'Davi'].map((nome) => session(nome));
    const three = four.slice(0, 3).map(({ nome }) => taken(`${nome} já tem sessão das 7:00 às 8:00`));
    expect(found(...four.slice(0, 3))).toEqual(three);
    expect(found(...four)).toEqual([...three, taken('e mais 1 no mesmo horário')]);
    const many = found(...Array.from({ length: 8_000 }, () => session('Ana')));
    expect(many).toHaveLength(4);
    expect(many.at(-1)).toEqual(taken('e mais 7997 no mesmo horário'));
    expect(isTaken(many)).toBe(true);
  });
});
