import { describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { Sheet } from './sheet.js';

function Page({ withoutAddress = false, keepsOpener = true }) {
  const [opened, setOpened] = useState(false);
  return (
    <MantineProvider env="test">
      <h1 tabIndex={-1}>Alunos</h1>
      {(keepsOpener || !opened) && <button onClick={() => setOpened(true)}>Cobrar</button>}
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title="Nova cobrança"
        withoutAddress={withoutAddress}
      >
        <form>
          <input aria-label="Valor" />
        </form>
      </Sheet>
    </MantineProvider>
  );
}

const focused = () => document.activeElement?.textContent;

async function opened(options: { withoutAddress?: boolean; keepsOpener?: boolean } = {}) {
  const user = userEvent.setup();
  render(<Page {...options} />);
  await user.click(screen.getByRole('button', { name: 'Cobrar' }));
  await waitFor(() => expect(focused()).toBe('Nova cobrança'));
  return user;
}

describe('a sheet', () => {
  it('focuses its title, and returns the focus to the control that opened it', async () => {
    const user = await opened();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(focused()).toBe('Cobrar'));
  });

  it('focuses the page title if that control is gone', async () => {
    const user = await opened({ keepsOpener: false });
    const opener = screen.queryByRole('button', { name: 'Cobrar' });
    expect(opener).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(focused()).toBe('Alunos'));
  });

  it('that is not in the address is closed by "back", and the page stays', async () => {
    const address = window.location.href;
    await opened({ withoutAddress: true });
    act(() => window.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.href).toBe(address);
  });

  it('leaves no history entry when it is closed in another way', async () => {
    const user = await opened({ withoutAddress: true });
    expect(window.history.state).toHaveProperty('sheet');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(window.history.state ?? {}).not.toHaveProperty('sheet'));
  });

  it('does not go back from the page that takes its place when it ends with its own', async () => {
    const back = jest.spyOn(window.history, 'back');
    const SignedOut = () => {
      useEffect(() => window.history.replaceState({ page: 'entrar' }, ''), []);
      return null;
    };
    const { rerender } = render(<Page withoutAddress />);
    await userEvent.click(screen.getByRole('button', { name: 'Cobrar' }));
    await waitFor(() => expect(window.history.state).toHaveProperty('sheet'));
    rerender(<SignedOut />);
    await Promise.resolve();
    expect(window.history.state).toEqual({ page: 'entrar' });
    expect(back).not.toHaveBeenCalled();
  });
});
