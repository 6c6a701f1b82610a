import { expect, it } from '@jest/globals';
import { toast, toasterMounted, type Toast } from './toast.js';

it('a toast with "Desfazer" is shown for 8 seconds, any other for the default time', async () => {
  const shown: Toast[] = [];
  toasterMounted((each) => void shown.push(each));
  toast.success('Renovado', { undo: () => Promise.resolve(true), undone: 'Renovação desfeita' });
  toast.success('Confirmada', { action: { label: 'Avisar', onClick: () => undefined } });
  toast.error('Erro');
  await Promise.resolve();
  expect(shown.map(({ title, duration, action }) => [title, duration, action?.label])).toEqual([
    ['Renovado', 8000, 'Desfazer'],
    ['Confirmada', undefined, 'Avisar'],
    ['Erro', undefined, undefined],
  ]);
});
