import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { ScopeSheet } from './scope-sheet.js';
import { askImpeded } from './scope.js';

it.each([
  [false, 'Deixar essas onde estão', 'Remarcar mesmo assim'],
  [true, 'Pular essas datas', 'Agendar mesmo assim'],
])(
  'the main button for dates that do not fit (new: %s) leaves them out: "%s"',
  async (isNew, safe, anyway) => {
    const user = open(<ScopeSheet />);
    let answer: Promise<unknown> | undefined;
    act(() => {
      answer = askImpeded('2 de 4 não cabem: 08/12/2026 (Férias).', isNew);
    });
    await screen.findByRole('heading', { name: '2 de 4 não cabem' });
    screen.getByText('08/12/2026 (Férias).');
    const button = await screen.findByRole('button', { name: safe });
    expect(button.dataset.variant).toBe('filled');
    expect(screen.getByRole('button', { name: anyway }).dataset.variant).toBe('subtle');
    await user.click(button);
    expect(await answer).toBe('manter');
  },
);
