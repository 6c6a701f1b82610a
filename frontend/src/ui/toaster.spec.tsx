import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import Toaster from './toaster.js';
import { toast } from './toast.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const shown = () => [...document.querySelectorAll('[data-title]')].map((title) => title.textContent).sort();
const renderToaster = () =>
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  );

it('shows a toast for the four seconds of the spec, and one that can be undone for eight', async () => {
  renderToaster();
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

it('goes on with the other toasts when the one below the pointer is gone', async () => {
  renderToaster();
  toast.success('Aluno salvo');
  toast.success('Plano salvo');
  toast.success('Plano renovado');
  await pass(500);
  const below = screen.getByText('Plano renovado').closest('li')!;
  fireEvent.mouseOver(below);
  await pass(6_000);
  expect(shown()).toEqual(['Aluno salvo', 'Plano renovado', 'Plano salvo']);
  fireEvent.click(below.querySelector('[data-close-button]')!);
  await pass(500);
  expect(shown()).toEqual(['Aluno salvo', 'Plano salvo']);
  fireEvent.mouseOver(document.body);
  await pass(4_500);
  expect(shown()).toEqual([]);
});
