import { describe, expect, it } from '@jest/globals';
import { calledPhone, phone, whatsapp } from './phone.api.js';

describe('a phone', () => {
  it.each([
    ['(11) 94321-4321', '+5511943214321'],
    ['11943214321', '+5511943214321'],
    ['+55 11 94321-4321', '+5511943214321'],
    ['5511943214321', '+5511943214321'],
    ['(11) 3456-7890', '+551134567890'],
    ['55943214321', '+5555943214321'],
  ])('%s is %s', (typed, e164) => {
    expect(phone.parse(typed)).toBe(e164);
  });

  it.each([
    '123',
    '(20) 94321-4321',
    '(11) 84321-4321',
    '(11) 943214-3210',
    '+1 212 555 0100',
    'onze 94321-4321',
  ])('is not %j', (typed) => {
    expect(phone.safeParse(typed).error?.issues.map(({ message }) => message)).toEqual(['WhatsApp inválido']);
  });

  it.each(['', ' '])('asks for one where %j was typed', (typed) => {
    for (const schema of [phone, whatsapp])
      expect(schema.safeParse(typed).error?.issues[0]?.message).toBe('Informe o WhatsApp com DDD');
    expect(calledPhone.safeParse(typed).error?.issues[0]?.message).toBe('Informe o telefone com DDD');
  });
});

describe('a WhatsApp number', () => {
  it('has the 14 to 16 characters that the mask produces', () => {
    expect(whatsapp.parse('(11) 3456-7890')).toBe('+551134567890');
    expect(whatsapp.parse('(11) 94321-4321')).toBe('+5511943214321');
    expect(whatsapp.safeParse('11943214321').error?.issues[0]?.message).toBe('WhatsApp inválido');
    expect(whatsapp.safeParse('(11) 94321 - 4321').error?.issues[0]?.message).toBe('WhatsApp inválido');
  });

  it('is accepted in the format of the answer', () => {
    expect(whatsapp.parse('+551134567890')).toBe('+551134567890');
  });
});
