import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { decodeCursor, encodeCursor } from './cursor.js';

const place = z.tuple([z.iso.date(), z.uuid()]);

describe('cursor', () => {
  it('decodes to the values from which it was made', () => {
    const here = ['2026-11-20', '7d4f5f5e-2f0b-4c64-9a3f-0a4c8e6a7c11'];
    const cursor = encodeCursor(here);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(place, cursor)).toEqual(here);
  });

  it.each(['', '%%%', 'bm90IGpzb24', encodeCursor(['2026-02-30', null]), encodeCursor([])])(
    'refuses %j',
    (cursor) => {
      expect(() => decodeCursor(place, cursor)).toThrow(
        expect.objectContaining({
          code: 'validation',
          errors: [{ pointer: '/cursor', detail: 'Cursor inválido' }],
        }),
      );
    },
  );
});
