import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from '@jest/globals';
import { instantFrom } from './pools.js';

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

it('an instant is parsed as pg parses it, to the millisecond', () => {
  const day = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{0,5}[1-9]$/));
  const zone = fc.constantFrom('+00', '-03', '+05:30');
  fc.assert(
    fc.property(day, fraction, zone, (at, digits, offset) => {
      const text = `${at.toISOString().slice(0, 19).replace('T', ' ')}${digits}${offset}`;
      expect(instantFrom(text)).toEqual(parse(text));
    }),
  );
});

it.each(['0001-02-03 04:05:06+00', '12345-01-01 00:00:00+00', '0044-03-15 12:00:00+00 BC', 'infinity'])(
  '%s is parsed as pg parses it',
  (text) => expect(instantFrom(text)).toEqual(parse(text)),
);
