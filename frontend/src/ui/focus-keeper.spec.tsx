import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { keepFocus } from './focus-keeper.js';

beforeAll(() => {
  // A simulated page has no layout: all that is in it counts as seen.
  Element.prototype.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
  keepFocus();
});

function Page({ names, busy }: { names: readonly string[]; busy?: string }) {
  return (
    <main>
      <section>
        <h2>Alunos</h2>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button disabled={busy === name}>{name}</button>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}

const focused = () => document.activeElement?.textContent;
const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus());

const later = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));

describe('the place of who goes without a mouse', () => {
  let show: (page: ReactElement) => void;
  beforeEach(() => {
    show = render(<Page names={['Ana', 'Bia', 'Caio']} />).rerender;
  });

  it('is what comes next, once the focused row is gone', async () => {
    focus('Bia');
    show(<Page names={['Ana', 'Caio']} />);
    await waitFor(() => expect(focused()).toBe('Caio'));
  });

  it('is a row that is left, where the last one is gone', async () => {
    focus('Caio');
    show(<Page names={['Ana', 'Bia']} />);
    await waitFor(() => expect(['Ana', 'Bia']).toContain(focused()));
  });

  it('is the title, where nothing is left', async () => {
    focus('Ana');
    show(<Page names={[]} />);
    await waitFor(() => expect(focused()).toBe('Alunos'));
  });

  it('stays on a button that was disabled for a moment', async () => {
    focus('Bia');
    show(<Page names={['Ana', 'Bia', 'Caio']} busy="Bia" />);
    // As browsers do with what is disabled.
    act(() => (document.activeElement as HTMLElement).blur());
    show(<Page names={['Ana', 'Bia', 'Caio']} />);
    await waitFor(() => expect(focused()).toBe('Bia'));
  });

  it('is not given back after a click on empty ground', async () => {
    focus('Bia');
    await userEvent.click(screen.getByRole('main'));
    await later(0);
    show(<Page names={['Ana', 'Caio']} />);
    await later(100);
    expect(document.activeElement).toBe(document.body);
  });
});
