import { expect, it, jest } from '@jest/globals';
import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { button, open } from '../../spec/screen.js';
import { refresh } from '../lib/topics.js';
import { UndoSheet } from './undo-sheet.js';

function Hint() {
  const client = useQueryClient();
  return <span onClick={() => void refresh(client, null)}>Algo mudou</span>;
}

it('does not ask again for the price of what is being undone, which has none any more', async () => {
  const price = jest.fn(() => Promise.resolve({ efeitos: ['reabre R$ 90,00'] }));
  const onClose = jest.fn();
  let finish = () => {};
  const onUndo = () => new Promise<void>((done) => (finish = done));
  const user = open(
    <>
      <Hint />
      <UndoSheet what="Desfazer pagamento" of="1" price={price} onUndo={onUndo} onClose={onClose} />
    </>,
  );
  await screen.findByText('Reabre R$ 90,00');
  await user.click(screen.getByText('Algo mudou'));
  await waitFor(() => expect(price).toHaveBeenCalledTimes(2));
  await user.click(await button('Desfazer pagamento'));
  await user.click(screen.getByText('Algo mudou'));
  finish();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(price).toHaveBeenCalledTimes(2);
});
