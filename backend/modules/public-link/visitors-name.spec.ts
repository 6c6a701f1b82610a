import { describe, expect, it } from '@jest/globals';
import type { ExistingStudent } from '../students/student.js';
import { namedBy } from './visitors-name.js';

const called = (nome: string | null, status = 'active', student_id = `${nome} ${status}`) =>
  ({ student_id, nome, status }) as ExistingStudent;

describe('a booking with a phone that students share', () => {
  it.each([
    ['ana souza', ['Ana Souza', 'Bia Souza'], 'Ana Souza'],
    ['ÁNA  SOUZA ', ['Ana Souza', 'Bia Souza'], 'Ana Souza'],
    ['Ana', ['Ana Souza', 'Bia Souza'], 'Ana Souza'],
    ['Ana Souza', ['Ana Paula de Souza', 'Bia Souza'], 'Ana Paula de Souza'],
    ['Maria Silva', ['Maria Clara Silva'], 'Maria Clara Silva'],
    ['Maria Silva', ['Maria Silva', 'Maria Clara Silva'], 'Maria Silva'],
    ['Ana', ['Ana', 'Ana Souza'], 'Ana'],
  ])('by %j among %j is that of %s', (typed, names, whose) => {
    expect(
      namedBy(
        names.map((nome) => called(nome)),
        typed,
      )?.nome,
    ).toBe(whose);
  });

  it.each([
    ['Ana', ['Bia Souza']],
    ['Souza', ['Ana Souza']],
    ['Ana', ['Ana Clara', 'Ana Luiza']],
    ['Ana Luiza', ['Ana Clara']],
    ['Maria Silva', ['Maria Clara Silva', 'Maria Luiza Silva']],
    ['Ana Souza Lima', ['Ana Souza']],
    ['Ana Souza Ana', ['Ana Ana Souza']],
    ['Ana Souza', ['Ana Souza', 'Ana Souza']],
    ['Ana', [null]],
  ])('by %j among %j is nobody’s', (typed, names) => {
    expect(
      namedBy(
        names.map((nome) => called(nome)),
        typed,
      ),
    ).toBeUndefined();
  });

  it('is that of the active one of two with the name', () => {
    const both = [called('Ana Souza', 'archived'), called('Ana Souza')];
    expect(namedBy(both, 'Ana Souza')).toBe(both[1]);
    // With less than the name it may be either's.
    expect(namedBy(both, 'Ana')).toBeUndefined();
  });

  it('is that of the one whom an earlier booking by that name registered, where it is nobody else’s', () => {
    const all = [called('Ana', 'active', '1'), called('Ana', 'active', '2'), called('Ana', 'active', '3')];
    expect(namedBy(all, 'Ana', ['3', '4'])).toBe(all[2]);
  });
});
