import { expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { VerifyFile } from './verify-file.js';

it('does not read a file that is too large for a signed copy', async () => {
  open(<VerifyFile receipt={() => null}>{() => null}</VerifyFile>);
  const size = 3_000_000_000;
  const film = { name: 'filme.pdf', size, arrayBuffer: () => Promise.reject(new Error('out of memory')) };
  fireEvent.drop(screen.getByText(/Ou solte aqui o PDF/), { dataTransfer: { files: [film] } });
  expect(await screen.findByText('Arquivo desconhecido')).toBeTruthy();
});
