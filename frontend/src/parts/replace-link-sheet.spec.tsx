import { expect, it } from '@jest/globals';
import { button, open, said } from '../../spec/screen.js';
import { ReplaceLinkSheet } from './replace-link-sheet.js';

const none = () => undefined;

it.each<[string, () => Promise<unknown>, string[]]>([
  ['is replaced', () => Promise.resolve(), ['Link trocado', 'O link anterior não abre mais.']],
  [
    'cannot be replaced',
    () => Promise.reject(new Error()),
    ['Erro ao trocar o link', 'Ocorreu um erro inesperado.'],
  ],
])('a payment link %s only by the second tap', async (_, onReplace, words) => {
  let replaced = 0;
  const replace = () => {
    replaced++;
    return onReplace();
  };
  const user = open(<ReplaceLinkSheet onReplace={replace} onClose={none} />);
  const confirm = await button('Trocar link');
  expect(replaced).toBe(0);
  await user.click(confirm);
  expect(await said()).toEqual(words);
  expect(replaced).toBe(1);
});
