import { expect, it } from '@jest/globals';
import { meaningOf } from './whatsapp-answer.js';

it.each([
  ...['1', 'Sim', 'confirmo', ' SIM, confirmo. ', 'Vou 👍'].map((text) => [text, 'confirma']),
  ...['2', 'Não', 'nao vou', 'Não posso.'].map((text) => [text, 'nao_vai']),
  ...['sair', ' PARAR ', 'Stop'].map((text) => [text, 'parar']),
  ...['', 'sim, mas às 8', 'não sei', '12', 'vou sair tarde', 'Confirmo que não vou'].map((text) => [
    text,
    'outra',
  ]),
])('an answer counts only as a whole: %j is %s', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});
