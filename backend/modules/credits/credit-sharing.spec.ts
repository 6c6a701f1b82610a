import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { creditSharing, decideShare, sharingSet } from './credit-sharing.js';

const [ana, bia, caio] = ['a', 'b', 'c'] as const;
const alone = creditSharing.initialState;
const using = (student_id: string, dono_id: string) =>
  given(creditSharing, ...sharingSet(alone, student_id, dono_id));
const nobody = { dono: alone, alunos: [] };
const share = (dono_id: string | null, state = alone, around: object = {}, more: object = {}) =>
  decideShare(state, bia, { dono_id, ...more }, { ...nobody, ...around });
const refused = (code: string) => expect.objectContaining({ code });

describe('sharing credits', () => {
  it('lets a student use those of another one, and says whose they used before', () => {
    expect(share(ana)).toEqual([
      {
        type: 'CreditSharingSet',
        data: { student_id: bia, dono_id: ana, antes: null, contas: [ana], juncao_id: null },
      },
    ]);
    expect(share(caio, using(bia, ana))).toMatchObject([
      { data: { dono_id: caio, antes: ana, contas: [ana, caio] } },
    ]);
  });

  it('ends, and remembers from where credits may have come', () => {
    expect(given(creditSharing, ...share(ana), ...share(null, using(bia, ana)))).toMatchObject({
      dono_id: null,
      contas: [ana],
    });
  });

  it('is recorded once', () => {
    expect(share(ana, using(bia, ana))).toEqual([]);
    expect(share(null)).toEqual([]);
  });

  it('makes no chain, and nobody shares with themselves', () => {
    expect(() => share(bia)).toThrow(refused('credits.same_student'));
    expect(() => share(ana, alone, { dono: using(ana, caio) })).toThrow(refused('credits.sharing_chain'));
    expect(() => share(ana, alone, { alunos: [caio] })).toThrow(refused('credits.sharing_chain'));
    const begun = { se_ainda: { dono_id: null } };
    expect(() => share(caio, using(bia, ana), {}, begun)).toThrow(refused('credits.sharing_chain'));
    expect(share(null, using(bia, ana), { dono: using(ana, caio), alunos: [caio] })).toHaveLength(1);
  });

  it('is not undone where it was changed since', () => {
    const undo = { se_ainda: { dono_id: caio } };
    expect(() => share(null, using(bia, ana), {}, undo)).toThrow(refused('changed_since'));
  });
});
