import { expect, it } from '@jest/globals';
import { payeeOf } from './payee.js';

const phone = { tipo: 'telefone', chave: '+5511943214321', nome: 'Ana Lima', banco: null };
const nobody = { emitente: null, documento: null };

it.each([
  ['a key that is a CPF', { tipo: 'cpf', chave: '12345678909', ...nobody }, 'CPF ***.456.789-**'],
  ['a key that is a CNPJ', { tipo: 'cnpj', chave: '11222333000181', ...nobody }, 'CNPJ **.222.333/0001-**'],
  ['the CPF of the receipts', { emitente: 'ANA de Lima', documento: '12345678909' }, 'CPF ***.456.789-**'],
  ['their CNPJ', { emitente: 'Ána Lima ME', documento: '11222333000181' }, 'CNPJ **.222.333/0001-**'],
  ['none of another person', { emitente: 'Bia Lima', documento: '12345678909' }, null],
  ['none where the trainer gave none', nobody, null],
])('the payee is shown with a masked document: %s', (_what, account, documento) => {
  expect(payeeOf({ ...phone, ...account })).toEqual({ nome: 'Ana Lima', documento, banco: null });
});
