import { afterEach, expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { ChipLine, LinkChip } from './chip.js';

afterEach(() => void jest.restoreAllMocks());

/** A line has room for three chips. */
function threeInALine() {
  jest.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    const shown = [...this.parentElement!.children].filter((each) => !(each as HTMLElement).hidden);
    return Math.floor(shown.indexOf(this) / 3) * 56;
  });
}

const chips = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);

const lineOf = (...words: string[]) => (
  <MemoryRouter>
    <ChipLine label="Pendências">
      {words.map((word) => (
        <LinkChip key={word} to="/">
          {word}
        </LinkChip>
      ))}
    </ChipLine>
  </MemoryRouter>
);

it('keeps to one line, whose last chip says how many are behind it and unfolds them', async () => {
  threeInALine();
  const { rerender } = render(lineOf('pedidos', 'lembretes', 'tarefas'));
  expect([chips(), screen.queryByRole('button')]).toEqual([['pedidos', 'lembretes', 'tarefas'], null]);
  const all = ['a confirmar', 'pedidos', 'lembretes', 'vencidos', 'tarefas'];
  rerender(lineOf(...all));
  const more = await screen.findByRole('button', { name: 'Pendências: mais 3' });
  expect([more.textContent, chips()]).toEqual(['+3', ['a confirmar', 'pedidos']]);
  await userEvent.click(more);
  expect(chips()).toEqual(all);
  expect([document.activeElement?.textContent, screen.queryByRole('button')]).toEqual(['lembretes', null]);
});
