import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Said } from './said.js';
import { inSheetOr } from './said-in-sheet.js';

it('leads to pages of the application in place, and to other addresses in a new window', () => {
  render(
    <MemoryRouter>
      <MantineProvider env="test">
        <Said opened />
      </MantineProvider>
    </MemoryRouter>,
  );
  const show = inSheetOr(() => undefined);
  const tell = [
    { label: 'Recibo', href: '/cobrancas?recibo' },
    { label: 'Avisar Ana', href: 'https://wa.me/5511943214321' },
  ];
  act(() => show({ kind: 'success', title: 'Cobrança paga', tell }));
  const targets = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('target')]);
  expect(targets).toEqual([
    ['Recibo', null],
    ['Avisar Ana', '_blank'],
  ]);
});
