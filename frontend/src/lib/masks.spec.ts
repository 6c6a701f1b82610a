import { describe, expect, it } from '@jest/globals';
import { cursorAfterMask, maskCep, maskCpf, maskDate, maskPhone, maskTime } from './masks.js';

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
    ['119876543219', '(11) 98765-4321'],
  ])('shows the phone %j as %j', (typed, shown) => {
    expect(maskPhone(typed)).toBe(shown);
  });

  it('shows a CPF, a date, a postal code and a time', () => {
    expect(maskCpf('52998224725')).toBe('529.982.247-25');
    expect(maskCpf('5299')).toBe('529.9');
    expect(maskDate('26112026')).toBe('26/11/2026');
    expect(maskDate('2026-11-26')).toBe('26/11/2026');
    expect(maskCep('01310100')).toBe('01310-100');
    expect(maskTime('0730')).toBe('07:30');
    expect(maskTime('730')).toBe('07:30');
  });

  it('keeps a mask stable when it is applied to its own result', () => {
    for (const [mask, typed] of [
      [maskPhone, '11987654321'],
      [maskCpf, '52998224725'],
      [maskDate, '26112026'],
      [maskTime, '0730'],
    ] as const)
      expect(mask(mask(typed))).toBe(mask(typed));
  });

  it('leaves the cursor behind the digit that was typed', () => {
    expect(cursorAfterMask('(11) 987654-321', 9, '(11) 98765-4321')).toBe(9);
    expect(cursorAfterMask('(119) 8765-4321', 4, '(11) 98765-4321')).toBe(6);
    expect(cursorAfterMask('119', 3, '(11) 9')).toBe(6);
  });
});
