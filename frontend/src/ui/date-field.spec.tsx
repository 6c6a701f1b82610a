import { describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { DateField } from './date-field.js';
import { Sheet } from './sheet.js';

function given(value: string) {
  const onChange = jest.fn<(day: string) => void>();
  const onClose = jest.fn();
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <Sheet opened onClose={onClose} title="Nova despesa">
          <DateField label="Data" value={value} onChange={onChange} />
        </Sheet>
      </MemoryRouter>
    </MantineProvider>,
  );
  return { onChange, onClose, user: userEvent.setup() };
}

describe('the calendar of a date field', () => {
  it('opens at the month of the date, with the focus on its day', async () => {
    const { user } = given('2030-11-26');
    await user.click(screen.getByRole('button', { name: 'Abrir calendário' }));
    const day = await screen.findByRole('button', { name: '26 novembro 2030' });
    await waitFor(() => expect(document.activeElement).toBe(day));
  });

  it('gives the chosen day and closes', async () => {
    const { user, onChange } = given('2030-11-26');
    await user.click(screen.getByRole('button', { name: 'Abrir calendário' }));
    await user.click(await screen.findByRole('button', { name: '3 novembro 2030' }));
    expect(onChange).toHaveBeenLastCalledWith('2030-11-03');
    await waitFor(() => expect(screen.queryByRole('button', { name: '3 novembro 2030' })).toBeNull());
  });

  it('closes by Escape without the sheet around it', async () => {
    const { user, onClose } = given('2030-11-26');
    await user.click(screen.getByRole('button', { name: 'Abrir calendário' }));
    const day = await screen.findByRole('button', { name: '26 novembro 2030' });
    await waitFor(() => expect(document.activeElement).toBe(day));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('button', { name: '26 novembro 2030' })).toBeNull());
    expect(onClose).not.toHaveBeenCalled();
  });
});
