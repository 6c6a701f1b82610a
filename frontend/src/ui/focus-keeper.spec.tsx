import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { keepFocus } from './focus-keeper.js';

beforeAll(() => {
  // A simulated page has no layout, so all of its elements count as visible.
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

describe('the focus of a keyboard user', () => {
  let show: (page: ReactElement) => void;
  beforeEach(() => {
    show = render(<Page names={['Ana', 'Bia', 'Caio']} />).rerender;
  });

  it('moves to the next row when the focused row is removed', async () => {
    focus('Bia');
    show(<Page names={['Ana', 'Caio']} />);
    await waitFor(() => expect(focused()).toBe('Caio'));
  });

  it('moves to a remaining row when the last one is removed', async () => {
    focus('Caio');
    show(<Page names={['Ana', 'Bia']} />);
    await waitFor(() => expect(['Ana', 'Bia']).toContain(focused()));
  });

  it('moves to the title when no row remains', async () => {
    focus('Ana');
    show(<Page names={[]} />);
    await waitFor(() => expect(focused()).toBe('Alunos'));
  });

  it('returns to a button that was disabled for a moment', async () => {
    focus('Bia');
    show(<Page names={['Ana', 'Bia', 'Caio']} busy="Bia" />);
    // Browsers blur an element when it is disabled.
    act(() => (document.activeElement as HTMLElement).blur());
    show(<Page names={['Ana', 'Bia', 'Caio']} />);
    await waitFor(() => expect(focused()).toBe('Bia'));
  });

  it('is not restored after a click on the background', async () => {
    focus('Bia');
    await userEvent.click(screen.getByRole('main'));
    await later(0);
    show(<Page names={['Ana', 'Caio']} />);
    await later(100);
    expect(document.activeElement).toBe(document.body);
  });
});
