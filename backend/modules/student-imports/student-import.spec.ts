import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import type { CreditState } from '../credits/credit-account.js';
import type { StudentState } from '../students/student.js';
import { fateOf, newLines, notUndone, studentImport, type StudentImportEvent } from './student-import.js';
import type { ImportLine } from './student-imports.api.js';

const import_id = '2b1e5f0c-7d44-4c0b-9d0e-2f6a1c3b4d5e';
const [ana, bia, caio] = ['ana', 'bia', 'caio'];
const imported = (
  ...alunos: [linha: number, student_id: string, creditos: number][]
): StudentImportEvent => ({
  type: 'StudentsImported',
  data: {
    import_id,
    alunos: alunos.map(([linha, student_id, creditos]) => ({ linha, student_id, creditos })),
  },
});
const undone = (removidos: string[], mantidos: string[]): StudentImportEvent => ({
  type: 'StudentImportUndone',
  data: { import_id, removidos, mantidos },
});
const lines = (...numbers: number[]) =>
  numbers.map((linha): ImportLine => ({ linha, aluno: {} as never, inativo: false, saldo: [] }));
const refusal = (code: string) => expect.objectContaining({ code });

describe('importing lines', () => {
  it('imports each line once, in any portions', () => {
    const state = given(studentImport, imported([1, ana, 0], [2, bia, 0]), imported([4, caio, 0]));
    expect(newLines(state, lines(2, 3, 4, 5)).map(({ linha }) => linha)).toEqual([3, 5]);
  });

  it('is refused while the import is being undone', () => {
    const state = given(studentImport, imported([1, ana, 0]), undone([], [ana]));
    expect(() => newLines(state, lines(2))).toThrow(refusal('student_imports.undone'));
  });
});

describe('undoing an import', () => {
  it('handles each student once', () => {
    const state = given(studentImport, imported([1, ana, 0], [2, bia, 3]), undone([ana], []));
    expect(notUndone(state)).toEqual([{ linha: 2, student_id: bia, creditos: 3 }]);
  });

  it('is refused for an unknown import', () => {
    expect(() => notUndone(given(studentImport))).toThrow(refusal('student_imports.not_found'));
  });

  const owner = (changes: object = {}) =>
    ({ status: 'active', student_id: ana, nome: 'Ana', ...changes }) as StudentState;
  const lots = (...remaining: number[]): CreditState => ({
    lots: remaining.map((n) => ({
      lot_id: 'lot',
      remaining: n,
      expira_em: null,
      expires_at: null,
      sessions: [],
    })),
  });
  const held: CreditState = { lots: [{ ...lots(4).lots[0]!, sessions: ['s'] }] };

  it.each<[string, string, StudentState, CreditState, boolean]>([
    ['nothing else speaks of', 'remove', owner(), lots(4), false],
    ['is inactive', 'remove', owner({ status: 'archived' }), lots(1, 3), false],
    ['has sessions', 'keep', owner(), lots(4), true],
    ['has used a credit', 'keep', owner(), lots(3), false],
    ['was given credits', 'keep', owner(), lots(4, 8), false],
    ['has a credit in a session', 'keep', owner(), held, false],
    ['was forgotten', 'keep', owner({ nome: null }), lots(4), false],
    ['was removed by hand', 'gone', owner({ status: 'removed' }), lots(4), false],
  ])('a student who %s: %s', (_, fate, state, account, isInUse) => {
    expect(fateOf({ linha: 1, student_id: ana, creditos: 4 }, state, account, isInUse)).toBe(fate);
  });
});
