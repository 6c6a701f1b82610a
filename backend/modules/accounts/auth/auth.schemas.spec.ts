import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { TERMS_VERSION } from '../../general-terms/general-terms.api.js';
import { recoverBody, signUpBody, userBody } from './auth.schemas.js';

const valid = {
  email: 'ana@exemplo.com.br',
  password: 'uma senha comprida',
  data: { nome: 'Ana Souza', cpf: '52998224725', data_nascimento: '1990-02-28', telefone: '11943214321' },
};

const withData = (data: object) => z.safeParse(signUpBody, { ...valid, data: { ...valid.data, ...data } });

describe('the fields of a sign-up', () => {
  it.each([
    '111.444.777-35',
    '313.402.809-30',
    '222.333.666-38',
    '529.982.247-25',
    '123.456.789-09',
    '000.000.001-91',
  ])('takes the CPF %s, with and without punctuation', (cpf) => {
    const digits = cpf.replace(/\D/g, '');

    expect(withData({ cpf }).data?.data.cpf).toBe(digits);
    expect(withData({ cpf: digits }).data?.data.cpf).toBe(digits);
  });

  it('may contain the agreement to the terms in their current version, and to no other', () => {
    expect(withData({ termos: TERMS_VERSION }).data?.data.termos).toBe(TERMS_VERSION);
    expect(withData({}).data?.data.termos).toBeUndefined();
    for (const termos of ['2024-01-01', false, null, '']) expect(withData({ termos }).success).toBe(false);
  });

  it.each([
    '111.111.111-11',
    '123.456.789-10',
    '000.000.000-00',
    '5299822472',
    '529982247250',
    '529-982-247.25',
    '',
    52998224725,
    null,
  ])('refuses the CPF %j', (cpf) => {
    const { error } = withData({ cpf });

    expect(error?.issues).toEqual([
      expect.objectContaining({ path: ['data', 'cpf'], message: 'CPF inválido' }),
    ]);
  });

  it.each(['11943214321', '(11) 94321-4321', '+55 11 94321-4321', '5511943214321'])(
    'stores the mobile %s as E.164',
    (telefone) => {
      expect(withData({ telefone }).data?.data.telefone).toBe('+5511943214321');
    },
  );

  it.each(['1143214321', '(20) 94321-4321', '10943214321', '119432143210', 'onze', null])(
    'refuses %j as a mobile',
    (telefone) => {
      const { error } = withData({ telefone });

      expect(error?.issues).toEqual([
        expect.objectContaining({ path: ['data', 'telefone'], message: 'Celular inválido' }),
      ]);
    },
  );

  it.each(['2099-01-01', undefined, '1990-02-30', '1899-12-31', '28/02/1990', '1990-2-8', '', 19900228])(
    'refuses %j as a birth date',
    (data_nascimento) => {
      expect(withData({ data_nascimento }).success).toBe(false);
    },
  );

  it.each(['A', '  A  ', '', 'a'.repeat(121), 'Ana\u0007'])('refuses %j as a name', (nome) => {
    expect(withData({ nome }).success).toBe(false);
  });

  it('normalises the address', () => {
    expect(z.safeParse(signUpBody, { ...valid, email: ' Ana@Exemplo.COM.br ' }).data?.email).toBe(
      'ana@exemplo.com.br',
    );
  });

  it.each([
    'ana',
    'ana@',
    '@exemplo.com',
    'ana@exemplo',
    'ana@exemplo.com\r\nBcc: x@y.com',
    'a b@exemplo.com',
  ])('refuses %j as an address', (email) => {
    expect(z.safeParse(signUpBody, { ...valid, email }).error?.issues[0]?.message).toBe(
      'Unable to validate email address: invalid format',
    );
  });

  it('refuses unknown fields', () => {
    expect(withData({ role: 'admin' }).success).toBe(false);
    expect(z.safeParse(signUpBody, { ...valid, tenant_id: 'x' }).success).toBe(false);
  });
});

it.each([
  [{ code_challenge: 'a'.repeat(43) }],
  [{ code_challenge_method: 's256' }],
  [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }],
  [{ code_challenge: 'abc', code_challenge_method: 's256' }],
])('a challenge needs its method, is hashed and is long: %j', (fields) => {
  expect(z.safeParse(recoverBody, { email: 'a@b.com', ...fields }).success).toBe(false);
});

it.each([
  ['no name', { nome: null }],
  ['a CPF', { cpf: '12345678909' }],
  ['a birth date', { data_nascimento: '1990-02-28' }],
  ['a phone', { telefone: '11943214321' }],
  ['something nested', { tema: { cor: 'azul' } }],
  ['very much', Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'x'.repeat(150)]))],
])('data of a user is not %s', (_what, data) => {
  expect(z.safeParse(userBody, { data: { tema: 'escuro' } }).success).toBe(true);
  expect(z.safeParse(userBody, { data }).success).toBe(false);
});
