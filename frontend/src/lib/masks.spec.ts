import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cursorBefore,
  edited,
  type Edit,
  type Mask,
  maskCep,
  maskCpf,
  maskDate,
  maskMoney,
  maskTime,
} from './masks.js';
import { completePhone, maskPhone, phoneCode, withPhoneCode } from './phone-mask.js';

const masks: [string, Mask][] = [
  ['phone', maskPhone],
  ['CPF', maskCpf],
  ['postal code', maskCep],
  ['date', maskDate],
  ['time', maskTime],
  ['amount', maskMoney],
];
const digits = (text: string) => text.replace(/\D/g, '');
const typed = fc.string({ unit: fc.constantFrom(...'0123456789 ()-/.,:+hR$'), maxLength: 20 });

/** The change that the keyboard makes to a field, before the mask is applied. */
const insert = (text: string, cursor: number, char: string): Edit => ({
  text: text.slice(0, cursor) + char + text.slice(cursor),
  cursor: cursor + char.length,
});
const remove = (text: string, from: number): Edit => ({
  text: text.slice(0, from) + text.slice(from + 1),
  cursor: from,
});

describe('masks', () => {
  it.each([
    ['1', '1'],
    ['11', '11'],
    ['119', '(11) 9'],
    ['119876', '(11) 9876'],
    ['1198765', '(11) 9876-5'],
    ['1133334444', '(11) 3333-4444'],
    ['11987654321', '(11) 98765-4321'],
    ['+55 11 98765-4321', '(11) 98765-4321'],
    ['5511987654321', '(11) 98765-4321'],
    ['551133334444', '(11) 3333-4444'],
    ['011987654321', '011987654321'],
    ['0xx11', '011'],
    ['551198765432', '551198765432'],
    ['559876543219', '559876543219'],
    ['+551132654321', '(11) 3265-4321'],
    ['+5511', '+5511'],
    ['+351912345678', '+351 912 345 678'],
    ['+351 91234', '+351 912 34'],
    ['00351912345678', '00351912345678'],
    ['(11) 98765-43219', '(11) 98765-4321'],
    ['351912345678', '351912345678'],
    ['55987654321', '(55) 98765-4321'],
  ])('show the phone %j as %j', (text, shown) => {
    expect(maskPhone(text)).toBe(shown);
  });

  it.each([
    ['7', '7'],
    ['73', '7:3'],
    ['730', '7:30'],
    ['0730', '07:30'],
    ['7h30', '7:30'],
    ['1:30', '1:30'],
    ['17:', '17:'],
    ['173', '17:3'],
  ])('show the time %j as %j', (text, shown) => {
    expect(maskTime(text)).toBe(shown);
  });

  it('show a CPF, a date, a postal code and an amount', () => {
    expect(maskCpf('52998224725')).toBe('529.982.247-25');
    expect(maskCpf('5299')).toBe('529.9');
    expect(maskDate('26112026')).toBe('26/11/2026');
    expect(maskDate('2026-11-26')).toBe('26/11/2026');
    expect(maskDate('2/11/2026')).toBe('2/11/2026');
    expect(maskCep('01310100')).toBe('01310-100');
    expect(maskMoney('R$ 1.234,56')).toBe('1.234,56');
    expect(maskMoney('-5')).toBe('-5');
  });

  it.each(masks)('of a %s are idempotent', (_name, mask) => {
    fc.assert(fc.property(typed, (text) => mask(mask(text)) === mask(text)));
  });

  it.each([
    [maskPhone, '11987654321'],
    [maskCpf, '52998224725'],
    [maskCep, '01310100'],
    [maskDate, '26112026'],
    [maskTime, '1730'],
  ])(
    'give the same text for digits that are typed, or pasted with or without separators (%#)',
    (mask, all) => {
      const oneByOne = [...all].reduce(
        ({ text }, digit) => edited(mask, text, insert(text, text.length, digit)),
        { text: '', cursor: 0 },
      );
      expect(oneByOne).toEqual({ text: mask(all), cursor: mask(all).length });
      expect(mask(mask(all))).toBe(mask(all));
      expect(mask(` ${mask(all)} `)).toBe(mask(all));
    },
  );
});

describe('a masked field', () => {
  it.each(masks)('of a %s inserts a digit at the cursor, or ignores it', (_name, mask) => {
    fc.assert(
      fc.property(typed, fc.nat(20), fc.constantFrom(...'0123456789'), (given, where, digit) => {
        const before = mask(given);
        const cursor = Math.min(where, before.length);
        const { text, cursor: after } = edited(mask, before, insert(before, cursor, digit));
        if (text === before) return after === cursor;
        // A number that is complete after the change loses its country code.
        if (/^(\+|55)/.test(before) && text.startsWith('(')) return true;
        const left = digits(before.slice(0, cursor)) + digit;
        return digits(text) === left + digits(before.slice(cursor)) && digits(text.slice(0, after)) === left;
      }),
    );
  });

  it.each(masks)('of a %s loses the deleted digit and no others', (_name, mask) => {
    fc.assert(
      fc.property(typed, fc.nat(20), fc.boolean(), (given, where, forward) => {
        const before = mask(given);
        if (before === '') return true;
        const from = Math.min(where, before.length - 1);
        const { text, cursor } = edited(mask, before, remove(before, from), forward);
        // A number that is complete after the change loses its country code, and without its zero may be too long.
        if (/^(\+|55|0)/.test(before) && text.startsWith('(')) return true;
        const [left, right] = [digits(before.slice(0, from)), digits(before.slice(from + 1))];
        const shows = (before: string, after: string) =>
          digits(text) === before + after && digits(text.slice(0, cursor)) === before;
        if (/\d/.test(before.charAt(from))) return shows(left, right);
        // An optional separator is deleted alone, any other one together with the adjacent digit.
        const isAlone = text !== before && shows(left, right);
        return isAlone || (forward ? shows(left, right.slice(1)) : shows(left.slice(0, -1), right));
      }),
    );
  });

  it.each([
    [maskPhone, '(11) 98765-4321'],
    [maskCpf, '529.982.247-25'],
    [maskCep, '01310-100'],
    [maskDate, '26/11/2026'],
  ])('keeps all its digits if the browser fills in the same ones without separators (%#)', (mask, full) => {
    const text = digits(full);
    expect(edited(mask, full, { text, cursor: text.length })).toEqual({ text: full, cursor: full.length });
  });

  it.each([
    ['+55 11 97000-1001', '(11) 97000-1001'],
    ['5511970001001', '(11) 97000-1001'],
    ['011970001001', '(11) 97000-1001'],
    ['0xx11970001001', '(11) 97000-1001'],
    ['005511970001001', '(11) 97000-1001'],
    ['01511970001001', '(11) 97000-1001'],
    ['+351 912 345 678', '+351 912 345 678'],
    ['00351912345678', '+351 912 345 678'],
    ['+1 (212) 555-0100', '+1 212 555 0100'],
  ])('loses no digit of %s, which is shown as %s once it is left', (all, shown) => {
    const last = [...all].reduce(
      ({ text }, char) => edited(maskPhone, text, insert(text, text.length, char)),
      { text: '', cursor: 0 },
    );
    expect(completePhone(last.text)).toBe(shown);
    expect(digits(all).endsWith(digits(last.text))).toBe(true);
  });

  it.each([
    ['(91) 2345-678', '351', '+351 912 345 678'],
    ['+55 11 9', '351', '+351 119'],
    ['+351 912 345 678', '34', '+34 912 345 678'],
    ['+34 119 432 143 21', '55', '(11) 94321-4321'],
    ['', '351', '+351'],
  ])('with the phone %j keeps its digits after the code %s: %j', (text, code, shown) => {
    expect(withPhoneCode(text, code)).toBe(shown);
    expect(phoneCode(shown)).toBe(code);
  });

  it('restores the cursor when a deleted digit is restored', () => {
    expect(cursorBefore('(11) 98765-4321', { text: '(19) 8765-4321', cursor: 2 })).toBe(3);
    expect(cursorBefore('01310-100', { text: '0131-100', cursor: 4 })).toBe(5);
    expect(cursorBefore('', { text: '1', cursor: 1 })).toBe(0);
    expect(cursorBefore('1.234,56', { text: '1.23,56', cursor: 4 })).toBe(5);
  });

  it('leaves the cursor after the typed digit', () => {
    expect(edited(maskPhone, '(11) 98654-321', insert('(11) 98654-321', 7, '7'))).toEqual({
      text: '(11) 98765-4321',
      cursor: 8,
    });
    expect(edited(maskTime, '7:30', insert('7:30', 0, '1'))).toEqual({ text: '17:30', cursor: 1 });
    expect(edited(maskTime, '07:30', remove('07:30', 0))).toEqual({ text: '7:30', cursor: 0 });
    expect(edited(maskMoney, '1.234', insert('1.234', 5, ','))).toEqual({ text: '1.234,', cursor: 6 });
  });
});
