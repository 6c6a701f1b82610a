import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideReplaceSecret, pixHookStream, validBefore } from './pix-hook.js';

const replaced = (secretId: string, now: string) => decideReplaceSecret('t', secretId, new Date(now));

it('a replaced secret is accepted for three days, even if its successor is replaced meanwhile', () => {
  const once = given(pixHookStream, ...replaced('a', '2026-11-01T12:00:00Z'));
  expect(once).toEqual({
    secret_id: 'a',
    anteriores: [{ secret_id: null, ate: '2026-11-04T12:00:00.000Z' }],
  });
  expect(validBefore(once, new Date('2026-11-04T11:59:59Z'))).toHaveLength(1);
  expect(validBefore(once, new Date('2026-11-04T12:00:00Z'))).toEqual([]);
  const twice = given(
    pixHookStream,
    ...replaced('a', '2026-11-01T12:00:00Z'),
    ...replaced('b', '2026-11-02T12:00:00Z'),
  );
  expect(twice.anteriores.map(({ secret_id }) => secret_id)).toEqual(['a', null]);
  const late = given(
    pixHookStream,
    ...replaced('a', '2026-11-01T12:00:00Z'),
    ...replaced('b', '2026-11-20T12:00:00Z'),
  );
  expect(late.anteriores.map(({ secret_id }) => secret_id)).toEqual(['a']);
});
