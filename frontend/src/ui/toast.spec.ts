import { beforeEach, expect, it } from '@jest/globals';
import { ProblemError } from '../lib/problem.js';
import { orAnyway, toast, toasterMounted, type Toast } from './toast.js';

const shown: Toast[] = [];
toasterMounted((each) => void shown.push(each));
beforeEach(() => {
  shown.length = 0;
});

it('a toast with "Desfazer" is shown for 8 seconds, any other for the default time', async () => {
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

it('what is refused with a code can be done anyway from the toast that says so; other refusals are errors', async () => {
  const tried: boolean[] = [];
  const refusing = (code: string) => (anyway: boolean) => {
    tried.push(anyway);
    return anyway
      ? Promise.resolve()
      : Promise.reject(new ProblemError(409, { code, detail: 'Já foi.' }, null));
  };
  const told = { code: 'told', label: 'Registrar mesmo assim', failure: 'Erro' };
  await orAnyway(refusing('told'), told);
  await Promise.resolve();
  expect(shown).toMatchObject([
    { kind: 'error', title: 'Erro', description: 'Já foi.', action: { label: 'Registrar mesmo assim' } },
  ]);
  shown[0]!.action!.onClick();
  expect(tried).toEqual([false, true]);
  await expect(orAnyway(refusing('other'), told)).rejects.toThrow('Já foi.');
});
