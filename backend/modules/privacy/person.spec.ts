import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideForget, person, type PersonForgotten } from './person.js';

const person_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const forgotten: PersonForgotten = { type: 'PersonForgotten', data: { person_id } };

it('a person is forgotten once', () => {
  expect(decideForget(given(person), person_id)).toEqual([forgotten]);
  expect(decideForget(given(person, forgotten), person_id)).toEqual([]);
});
