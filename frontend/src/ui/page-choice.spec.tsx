import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startTransition, useState } from 'react';
import { PageChoice } from './page-choice.js';

const data = ['Semana', 'Ano'];

/** Shows a mode once it `isReady`. */
function Calendar({ isReady, onChoice }: { isReady: Promise<void>; onChoice: (mode: string) => void }) {
  const [mode, setMode] = useState('Semana');
  const show = (next: string) => {
    onChoice(next);
    startTransition(async () => {
      await isReady;
      startTransition(() => setMode(next));
    });
  };
  return (
    <MantineProvider env="test">
      <PageChoice aria-label="Visualização" value={mode} onChange={show} data={data} />
      <p>{`Página: ${mode}`}</p>
    </MantineProvider>
  );
}

const marked = () =>
  data.filter((mode) => screen.getByRole<HTMLInputElement>('radio', { name: mode }).checked);

function given() {
  let arrive!: () => void;
  const isReady = new Promise<void>((resolve) => (arrive = resolve));
  const chosen: string[] = [];
  render(<Calendar isReady={isReady} onChoice={(mode) => void chosen.push(mode)} />);
  return {
    chosen,
    user: userEvent.setup(),
    arrive: () =>
      act(async () => {
        arrive();
        await isReady;
      }),
  };
}

it('marks the choice at once, before the page is ready', async () => {
  const { user, arrive } = given();
  await user.click(screen.getByText('Ano'));
  expect(marked()).toEqual(['Ano']);
  expect(screen.getByText('Página: Semana')).toBeTruthy();
  await arrive();
  expect(screen.getByText('Página: Ano')).toBeTruthy();
  expect(marked()).toEqual(['Ano']);
});

it('allows the previous choice while the page is not ready', async () => {
  const { user, chosen, arrive } = given();
  await user.click(screen.getByText('Ano'));
  await user.click(screen.getByText('Semana'));
  expect(chosen).toEqual(['Ano', 'Semana']);
  expect(marked()).toEqual(['Semana']);
  await arrive();
  expect(screen.getByText('Página: Semana')).toBeTruthy();
  expect(marked()).toEqual(['Semana']);
});
