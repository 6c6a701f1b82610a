import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, NOTHING, open } from '../../../spec/screen.js';
import { rowsOf } from './file-rows.js';
import ImportStudentsPage from './import-students-page.js';

const FILE =
  'Nome;WhatsApp\nAna Souza;(11) 94321-4321\nJoão Lima;11943214321\nBia Reis;123\nCaio Dias;(11) 95555-1234\nDavi Reis;9';

/** Reads as the worker does, but in this thread: jsdom has no workers. */
class SameThread extends EventTarget {
  postMessage({ bytes, mostRows }: { bytes: Uint8Array; mostRows: number }) {
    void rowsOf(bytes, mostRows).then((data) => this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate() {}
}

it('the report of an import names the lines that were left out, with the reason of each', async () => {
  Object.assign(globalThis, { Worker: SameThread });
  const whatsapp = '+5511955551235';
  const old = { id: 'old', nome: 'Davi Antigo', arquivado: false, telefone: whatsapp, whatsapp };
  const user = open(<ImportStudentsPage />, {
    answers: {
      'POST /student-imports': { id: 'x', importados: 2, repetidos: 0, student_ids: ['ana', 'davi'] },
      'GET /students': { ...NOTHING, items: [old], next: null },
    },
  });
  await screen.findByText('Escolher arquivo');
  const file = new File([FILE], 'alunos.csv');
  // Missing in jsdom.
  file.arrayBuffer = () => Promise.resolve(new TextEncoder().encode(FILE).buffer);
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
  // A line can be mended on the spot; this one stays as it is.
  await user.type(
    await screen.findByLabelText('WhatsApp de Davi Reis'),
    '{Control>}a{/Control}11955551235{Enter}',
  );
  // Imported although a student has the number.
  await user.click(await screen.findByRole('checkbox', { name: /Davi Reis/ }));
  // Left out by choice, which needs no reason.
  await user.click(await screen.findByRole('checkbox', { name: /Caio Dias/ }));
  await user.click(await button('Importar 2 alunos'));
  await screen.findByText('2 alunos importados');
  await screen.findByText('3 linhas ficaram de fora.');
  screen.getByText('João Lima');
  screen.getByText('Mesmo WhatsApp de Ana Souza (linha 1)');
  screen.getByText('Bia Reis');
  screen.getByText('WhatsApp inválido: 123');
  expect(screen.queryByText('Caio Dias')).toBeNull();
  const merging = screen.getByRole('link', { name: /Davi Reis/ });
  expect(merging.getAttribute('href')).toBe('/alunos/old?juntar=davi');
  await button('Baixar 2 linhas (.csv)');
});
