import { describe, expect, it } from '@jest/globals';
import { phoneCountries, phoneCountryOf } from './phone-abroad.api.js';
import { calledPhone, mobilePhone, phone } from './phone-fields.api.js';
import { callingCodeOf, formatPhone } from './phone-format.api.js';
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
    ['+351 912 345 678', '+351912345678'],
    ['00351 912345678', '+351912345678'],
    ['+1 (212) 555-0100', '+12125550100'],
    ['+34 912 345 678', '+34912345678'],
    ['34 912345678', '+5534912345678'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+49 0151 23456789', '+4915123456789'],
    ['+595 981 123 456', '+595981123456'],
  ])('%s is %s', (typed, e164) => {
    expect(phone.parse(typed)).toBe(e164);
  });

  it.each([
    '123',
    '(20) 94321-4321',
    '(11) 24321-43210',
    '(11) 943214-3210',
    '912 345 678',
    '0 94321-4321',
    'onze 94321-4321',
    '11 94321-4321 xx',
    null,
  ])('is not %j', (typed) => {
    expect(said(phone, typed)).toEqual(['WhatsApp inválido']);
  });

  it.each([
    ['+351 912 345 67', 'Confira o número (Portugal): faltam dígitos'],
    ['+351 912 345 6789', 'Confira o número (Portugal): sobram dígitos'],
    ['+1 212 555', 'Confira o número (Estados Unidos): faltam dígitos'],
    ['+35', 'Confira o número: faltam dígitos'],
    ['+999 123 456 789', 'Confira o código do país'],
    ['+11 94321-4321', 'Faltou o 55? (11) 94321-4321'],
    ['+21 3456-7890', 'Faltou o 55? (21) 3456-7890'],
  ])('of another country is not %j, and says why', (typed, why) => {
    expect(said(phone, typed)).toEqual([why]);
  });

  it('of any country stays the number that it is once it is read', () => {
    for (const { code } of phoneCountries) {
      const read = phone.safeParse(`+${code}912345678`).data;
      if (read) expect(phone.parse(formatPhone(read))).toBe(read);
    }
  });

  it('is asked for in the field’s own words', () => {
    for (const typed of ['', ' ']) {
      expect(said(phone, typed)).toEqual(['Informe o WhatsApp com DDD']);
      expect(said(calledPhone, typed)).toEqual(['Informe o telefone com DDD']);
    }
    expect(said(mobilePhone, '(11) 3456-7890')).toEqual(['Celular inválido']);
    expect(mobilePhone.parse('0xx11 94321-4321')).toBe('+5511943214321');
    expect(mobilePhone.parse('+351 212 345 678')).toBe('+351212345678');
  });

  it.each([
    ['(11) 8765-4321', '(11) 98765-4321'],
    ['+55 11 8765-4321', '(11) 98765-4321'],
    ['0xx11 7765-4321', '(11) 97765-4321'],
  ])('of a mobile with eight digits, as in %j, is asked about, never changed silently', (typed, meant) => {
    expect(said(phone, typed)).toEqual([`Faltou o 9? ${meant}`]);
    expect(phone.parse(withNinthDigit(typed))).toBe(phone.parse(meant));
  });

  it.each([['(11) 3456-7890'], ['(11) 98765-4321'], ['8765-4321'], ['+1 188 765 4321']])(
    'that is %j lacks no nine',
    (typed) => expect(withNinthDigit(typed)).toBeNull(),
  );

  it.each([
    ['+5511943214321', '(11) 94321-4321'],
    ['+551134567890', '(11) 3456-7890'],
    ['+351912345678', '+351 912 345 678'],
    ['+12125550100', '+1 212 555 0100'],
    ['+442079460958', '+44 207 946 0958'],
    ['+3519', '+351 9'],
    ['+351', '+351'],
    ['+35', '+35'],
    ['', ''],
  ])('that is %j is shown as %j', (e164, shown) => {
    expect(formatPhone(e164)).toBe(shown);
  });

  it('has the calling codes of all countries', () => {
    for (const { code } of phoneCountries) expect(callingCodeOf(`+${code}912345678`)).toBe(code);
    expect(phoneCountries[0]?.name).toBe('Brasil');
  });

  it('says its country once its digits do', () => {
    expect(phoneCountryOf('+1 416 555 0100')).toBe('1CA');
    expect(phoneCountryOf('+1 212 555 0100')).toBe('1');
    expect(phoneCountryOf('+1')).toBeNull();
  });
});
