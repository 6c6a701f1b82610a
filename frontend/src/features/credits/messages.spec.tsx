import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, field, open } from '../../../spec/screen.js';
import { AdjustSheet } from './adjust-sheet.js';
import { TransferSheet } from './transfer-sheet.js';

const none = () => null;
const student = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22';

const quantities = [
  ['1,5', 'Informe um número inteiro'],
  ['dois', 'Informe um número'],
  ['-5', 'Quantidade deve ser maior que zero'],
  ['0', 'Quantidade deve ser maior que zero'],
  ['99999999999', 'Use no máximo 1000 créditos'],
];

it.each(quantities)('an adjustment by %s credits says "%s"', async (typed, words) => {
  const user = open(<AdjustSheet studentId={student} opened onClose={none} />);
  const quantity = await field('Quantidade');
  await user.clear(quantity);
  await user.type(quantity, typed);
  await user.click(await button('Ajustar saldo'));
  expect(await screen.findByText(words)).toBeTruthy();
});

it.each(quantities)('a transfer of %s credits says "%s"', async (typed, words) => {
  const user = open(<TransferSheet studentId={student} StudentField={none} opened onClose={none} />);
  const quantity = await field('Quantidade');
  await user.clear(quantity);
  await user.type(quantity, typed);
  await user.click(await button(/^Transferir/));
  expect(await screen.findByText(words)).toBeTruthy();
});
