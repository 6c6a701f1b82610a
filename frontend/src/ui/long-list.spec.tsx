import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { LongList } from './long-list.js';

const ROW = 64;
const names = (count: number) => Array.from({ length: count }, (_, at) => `Aluno ${at + 1}`);

function given(count: number, total?: number) {
  render(
    <LongList items={names(count)} {...(total && { total })}>
      {(name, place) => (
        <li key={name} {...place}>
          <button>{name}</button>
        </li>
      )}
    </LongList>,
  );
  const list = screen.getByRole('list');
  const rows = () => [...list.querySelectorAll('[aria-posinset]')];
  return {
    /** Numbers of the first and the last row. */
    shown: () => [rows()[0], rows().at(-1)].map((row) => Number(row?.getAttribute('aria-posinset'))),
    count: () => rows().length,
    has: (name: string) => screen.queryByRole('button', { name }) !== null,
    /** Height of the whole list: its rows and the empty space for the others. */
    height: () =>
      [...list.children].reduce(
        (sum, child) =>
          sum + (child.hasAttribute('aria-posinset') ? ROW : parseFloat((child as HTMLElement).style.height)),
        0,
      ),
    scrollTo: (row: number) => {
      list.getBoundingClientRect = () => ({ top: -row * ROW }) as DOMRect;
      fireEvent.scroll(window);
    },
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a long list', () => {
  it('is rendered as a whole up to a hundred', () => {
    const { shown, count } = given(100);
    expect([shown(), count()]).toEqual([[1, 100], 100]);
  });

  it('renders the rows around the window, and leaves room for all others', () => {
    const { shown, count, height, scrollTo } = given(2000);
    for (const row of [0, 7, 500, 1990]) {
      scrollTo(row);
      const [first, last] = shown();
      expect(first).toBeLessThanOrEqual(Math.max(1, row - 15));
      expect(last).toBeGreaterThanOrEqual(Math.min(2000, row + window.innerHeight / ROW + 15));
      expect(count()).toBeLessThan(70);
      expect(height()).toBe(2000 * ROW);
    }
  });

  it('leaves room of the same height if rows differ by a pixel, and another if the text size changes', () => {
    const rowPx = jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(68);
    const { count, height, scrollTo } = given(2000);
    /** Height for each row that is not rendered. */
    const roomAt = (px: number) => {
      rowPx.mockReturnValue(px);
      scrollTo(1000);
      return (height() - count() * ROW) / (2000 - count());
    };
    expect([68, 69, 67, 90].map(roomAt)).toEqual([68, 68, 68, 90]);
  });

  it('keeps the row that has the focus, wherever the window is', () => {
    const { has, count, height, scrollTo } = given(2000);
    act(() => screen.getByRole('button', { name: 'Aluno 3' }).focus());
    scrollTo(1000);
    expect([has('Aluno 2'), has('Aluno 3'), has('Aluno 1001')]).toEqual([false, true, true]);
    expect(document.activeElement?.textContent).toBe('Aluno 3');
    expect(count()).toBeLessThan(70);
    expect(height()).toBe(2000 * ROW);
  });

  it('tells the position of each row in the whole list', () => {
    given(150, 2000);
    const row = screen.getByRole('button', { name: 'Aluno 5' }).closest('li')!;
    expect([row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]).toEqual(['5', '2000']);
  });
});
