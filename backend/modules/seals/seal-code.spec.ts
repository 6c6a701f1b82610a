import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from '@jest/globals';
import { dossierCodeOf, headCodeOf, sealCodeOf, searchedBy } from './seal-code.js';

const hash = '7f2a'.repeat(16);

it('finds the event of a code, however it is typed', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 2 ** 25 - 1 }), (tenantId, position) => {
      const code = sealCodeOf({ tenantId, position, hash });
      expect(code).toMatch(/^L(-[A-HJ-NP-Z2-9]{4}){4}$/);
      const found = searchedBy(code.toLowerCase().replaceAll('-', ' '))!;
      expect(found).toMatchObject({ position, hash: hash.slice(0, 7) });
      expect(found.from <= tenantId && tenantId <= found.to).toBe(true);
    }),
  );
});

it('names the same event in the code of a dossier and of a mailed seal', () => {
  const place = { tenantId: randomUUID(), position: 12, hash };
  expect(dossierCodeOf(place)).toMatch(/^D(-[A-HJ-NP-Z2-9]{4}){4}$/);
  expect(headCodeOf(place)).toMatch(/^H(-[A-HJ-NP-Z2-9]{4}){4}$/);
  for (const code of [dossierCodeOf(place), headCodeOf(place)])
    expect(searchedBy(code)).toEqual(searchedBy(sealCodeOf(place)));
});

it('says nothing of the hash of an entry by the code of a month', () => {
  const code = sealCodeOf({ tenantId: randomUUID(), position: 12, hash });
  expect(searchedBy(code.replace('L', 'M'))).toEqual({ ...searchedBy(code), hash: '' });
});

it('takes a 1 or an I for the L that it can only be, and no 0 or O for anything', () => {
  const place = { tenantId: 'ffffffff-5a00-4000-8000-000000000000', position: 10, hash };
  const code = sealCodeOf(place);
  expect(code.slice(1)).toContain('L');
  for (const misread of ['1', 'I', 'i', 'l'])
    expect(searchedBy(code.replaceAll('L', misread))).toEqual(searchedBy(code));
  for (const none of ['0', 'O']) expect(searchedBy(code.slice(0, -1) + none)).toBeNull();
});

it('is another code for another hash', () => {
  const place = { tenantId: randomUUID(), position: 12 };
  expect(sealCodeOf({ ...place, hash })).not.toBe(sealCodeOf({ ...place, hash: `6${hash.slice(1)}` }));
});

it.each(['', 'R-7F2A-B9KD-22QM-4XWC', 'L-7F2A', 'L-7F2A-B9KD-22QM-4XW0'])('takes %j for no code', (typed) => {
  expect(searchedBy(typed)).toBeNull();
});
