import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { advisorSharing, decideShare } from './sharing.js';

it('names are not sent until the trainer allows it, and a choice that changes nothing records no event', () => {
  const begun = given(advisorSharing);
  expect(begun).toEqual({ envio: 'sem_nomes' });
  expect(decideShare(begun, { envio: 'sem_nomes' })).toEqual([]);
  const events = decideShare(begun, { envio: 'com_nomes' });
  expect(events).toEqual([{ type: 'AdvisorSharingSet', data: { envio: 'com_nomes' } }]);
  const chosen = given(advisorSharing, ...events);
  expect(decideShare(chosen, { envio: 'com_nomes' })).toEqual([]);
  expect(decideShare(chosen, { envio: 'nada' })).toHaveLength(1);
});
