import { describe, expect, it } from '@jest/globals';
import { calledPhone, mobilePhone, phone } from './phone-fields.api.js';
import { formatPhone } from './phone-format.api.js';
import { withNinthDigit } from './phone.api.js';

const said = (schema: typeof phone, typed: unknown) =>
  schema.safeParse(typed).error?.issues.map(({ message }) => message);

describe('a phone', () => {
  it.each([
    ['(11) 94321-4321', '+5511943214321'],
    ['11943214321', '+5511943214321'],
    ['+55 11 94321-4321', '+5511943214321'],
    ['+55 (011) 94321-4321', '+5511943214321'],
    ['5511943214321', '+5511943214321'],
    ['0055 11 94321-4321', '+5511943214321'],
    ['011 94321-4321', '+5511943214321'],
    ['(011) 94321-4321', '+5511943214321'],
    ['0xx11 94321-4321', '+5511943214321'],
    ['(0XX11) 94321-4321', '+5511943214321'],
    ['0 15 11 94321-4321', '+5511943214321'],
    ['(11) 3456-7890', '+551134567890'],
    ['0xx11 3456-7890', '+551134567890'],
    ['551134567890', '+551134567890'],
    ['021 11 3456-7890', '+551134567890'],
    ['55943214321', '+5555943214321'],
    ['5555943214321', '+5555943214321'],
  ])('%s is %s', (typed, e164) => {
    expect(phone.parse(typed)).toBe(e164);
  });

  it.each([
    '123',
    '(20) 94321-4321',
    '(11) 24321-43210',
    '(11) 943214-3210',
    '+1 212 555 0100',
    '+11 94321-4321',
    '0 94321-4321',
    'onze 94321-4321',
    '11 94321-4321 xx',
    null,
  ])('is not %j', (typed) => {
    expect(said(phone, typed)).toEqual(['WhatsApp inválido']);
  });

  it('is asked for in the field’s own words', () => {
    for (const typed of ['', ' ']) {
      expect(said(phone, typed)).toEqual(['Informe o WhatsApp com DDD']);
      expect(said(calledPhone, typed)).toEqual(['Informe o telefone com DDD']);
    }
    expect(said(mobilePhone, '(11) 3456-7890')).toEqual(['Celular inválido']);
    expect(mobilePhone.parse('0xx11 94321-4321')).toBe('+5511943214321');
  });

  it.each([
    ['(11) 8765-4321', '(11) 98765-4321'],
    ['+55 11 8765-4321', '(11) 98765-4321'],
    ['0xx11 7765-4321', '(11) 97765-4321'],
  ])('of a mobile with eight digits, as in %j, is asked about, never changed silently', (typed, meant) => {
    expect(said(phone, typed)).toEqual([`Faltou o 9? ${meant}`]);
    expect(phone.parse(withNinthDigit(typed))).toBe(phone.parse(meant));
  });

  it.each([['(11) 3456-7890'], ['(11) 98765-4321'], ['8765-4321'], ['+1 212 865 0100']])(
    'that is %j lacks no nine',
    (typed) => expect(withNinthDigit(typed)).toBeNull(),
  );

  it('is shown as Brazilians write it', () => {
    expect(formatPhone('+5511943214321')).toBe('(11) 94321-4321');
    expect(formatPhone('+551134567890')).toBe('(11) 3456-7890');
  });
});
