import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brCode, crc16 } from './pix-code.js';
import { canonicalPixKey, pixAccount } from './pix.api.js';

/** The fields of a code by their ids; throws if it does not parse completely. */
function fieldsOf(code: string): Record<string, string> {
  const fields: Record<string, string> = {};
  let at = 0;
  while (at < code.length) {
    const [, id, length] = /^(\d\d)(\d\d)/.exec(code.slice(at)) ?? [];
    if (!id || at + 4 + Number(length) > code.length) throw new Error(`no field at ${at}`);
    fields[id] = code.slice(at + 4, at + 4 + Number(length));
    at += 4 + Number(length);
  }
  return fields;
}

const random = '123e4567-e12b-12d1-a456-426655440000';
const fulano = { chave: random, nome: 'Fulano de Tal', cidade: 'BRASILIA' };

describe('a BR Code', () => {
  it('has the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it.each([
    [
      { ...fulano, valor: null, txid: null },
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    ],
    [
      {
        chave: 'thalesog@me.com',
        nome: 'THALES OGLIARI',
        cidade: 'SAO MIGUEL DO O',
        valor: 1000,
        txid: null,
        descricao: 'Pedido 123',
      },
      '00020126510014br.gov.bcb.pix0115thalesog@me.com0210Pedido 123520400005303986540510.005802BR5914THALES OGLIARI6015SAO MIGUEL DO O62070503***63040DC6',
    ],
    [
      { ...fulano, valor: 45_000, txid: 'ALUNO0012026M10' },
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406450.005802BR5913Fulano de Tal6008BRASILIA62190515ALUNO0012026M106304BFA5',
    ],
  ])('is the documented one', (code, expected) => {
    expect(brCode(code)).toBe(expected);
  });

  it('has letters without a plain form in Unicode as others write them, and refuses other alphabets', () => {
    const named = (nome: string) => ({ tipo: 'aleatoria', chave: random, nome, cidade: 'Tromsø' });
    const code = brCode({ ...named('Żółć Straße Đặng Æsir 1ª'), valor: null, txid: null });
    expect([fieldsOf(code)['59'], fieldsOf(code)['60']]).toEqual(['Zolc Strasse Dang AEsir 1', 'Tromso']);
    expect(pixAccount.safeParse(named('Łukasz')).success).toBe(true);
    expect(pixAccount.safeParse(named('Ana Иван')).error?.issues).toMatchObject([
      { path: ['nome'], message: 'Use letras do alfabeto latino' },
    ]);
  });

  it('contains the values from which it was made, whatever they are', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => `a${text}`);
    fc.assert(
      fc.property(
        fc.record({ nome: anyText, cidade: anyText, descricao: anyText }),
        fc.integer({ min: 1, max: 100_000_000 }),
        (texts, valor) => {
          const code = brCode({ ...texts, chave: random, valor, txid: 'R012AB' });
          const fields = fieldsOf(code);
          expect(code).toMatch(/^[\x20-\x7e]+$/);
          expect(code).toMatch(/^000201.*6304[\dA-F]{4}$/);
          expect(fields['63']).toBe(crc16(code.slice(0, -4)));
          expect(fields['54']).toBe((valor / 100).toFixed(2));
          expect(fieldsOf(fields['26']!)['01']).toBe(random);
          expect(fieldsOf(fields['62']!)['05']).toBe('R012AB');
          expect([fields['59']!.length <= 25, fields['60']!.length <= 15]).toEqual([true, true]);
        },
      ),
    );
  });

  it('does not parse with a correct checksum and a wrong length', () => {
    const code = brCode({ ...fulano, valor: 45_000, txid: 'ALUNO0012026M10' });
    const broken = code.slice(0, -4).replace('5913Fulano', '5912Fulano');
    expect(() => fieldsOf(broken + crc16(broken))).toThrow('no field at');
  });

  it('writes accents as plain letters', () => {
    const fields = fieldsOf(
      brCode({ ...fulano, nome: 'João Conceição', cidade: 'São Paulo', valor: 1, txid: null }),
    );
    expect([fields['54'], fields['59'], fields['60']]).toEqual(['0.01', 'Joao Conceicao', 'Sao Paulo']);
  });
});

describe('a Pix key', () => {
  it.each([
    ['cpf', '529.982.247-25', '52998224725'],
    ['cpf', '000.000.001-91', '00000000191'],
    ['cpf', '123.456.789-10', null],
    ['cpf', '111.111.111-11', null],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['cnpj', '11.222.333/0001-82', null],
    ['telefone', '(11) 94321-4321', '+5511943214321'],
    ['telefone', '+55 11 94321-4321', '+5511943214321'],
    ['telefone', '529.982.247-25', null],
    ['telefone', '+351 912 345 678', null],
    ['email', 'Ana@Exemplo.com.br', 'ana@exemplo.com.br'],
    ['email', 'ana@', null],
    ['aleatoria', random.toUpperCase(), random],
    ['aleatoria', '123e4567', null],
  ] as const)('%s %s is %s', (tipo, typed, key) => {
    expect(canonicalPixKey(tipo, typed)).toBe(key);
  });

  it('is refused if it is not of the chosen kind, in the words of that kind', () => {
    const typed = { tipo: 'cpf', chave: '11943214321', nome: 'Ana', cidade: 'São Paulo' };
    const said = (tipo: string) =>
      pixAccount.safeParse({ ...typed, tipo }).error?.issues.map(({ message }) => message);
    expect([said('cpf'), said('email')]).toEqual([['CPF inválido'], ['Informe um e-mail válido']]);
    expect(pixAccount.parse({ ...typed, tipo: 'telefone' }).chave).toBe('+5511943214321');
  });
});
