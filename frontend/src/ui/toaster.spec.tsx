import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import Toaster from './toaster.js';
import { toast } from './toast.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const shown = () => [...document.querySelectorAll('[data-title]')].map((title) => title.textContent).sort();

it('shows a toast for the four seconds of the spec, and one that can be undone for eight', async () => {
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  );
  toast.success('Aluno salvo');
  toast.success('Plano renovado', { undo: () => Promise.resolve(true), undone: 'Renovação desfeita' });
  await pass(3_500);
  expect(shown()).toEqual(['Aluno salvo', 'Plano renovado']);
  await pass(1_500);
  expect(shown()).toEqual(['Plano renovado']);
  await pass(2_500);
  expect(screen.getByRole('button', { name: 'Desfazer' })).toBeTruthy();
  await pass(1_500);
  expect(shown()).toEqual([]);
});
