import { expect, it } from '@jest/globals';
import { tableOf } from './columns.js';
import { rowsOf } from './file-rows.js';
import { isTroubled, leftOutFile, previewOf } from './lines.js';

it('a file of the lines that were left out is read again as it was, with the reason of each', async () => {
  const table = tableOf(
    [
      ['Aluno', 'Celular', 'Obs'],
      ['Ana Souza', '(11) 94321-4321', ''],
      ['João Repetido', '11943214321', 'joelho; cuidado'],
      ['=SOMA(A1)', '123', ''],
    ],
    [],
  );
  const around = {
    ddd: '',
    plans: new Map(),
    chosen: {},
    known: new Map(),
    monthly: new Map<string, number>(),
    agreed: { desde: '2030-06-01', vence_dia: 5 },
  };
  const lines = previewOf(table, { ...around, today: '2030-01-10' }).filter(isTroubled);
  const file = new Blob([await leftOutFile(lines, table)]);
  const { rows } = await rowsOf(new Uint8Array(await file.arrayBuffer()), 5000);
  expect(rows).toEqual([
    ['Aluno', 'Celular', 'Obs', 'Por que ficou de fora'],
    ['João Repetido', '11943214321', 'joelho; cuidado', 'Mesmo WhatsApp de Ana Souza (linha 1)'],
    ['=SOMA(A1)', '123', '', 'WhatsApp inválido: 123'],
  ]);
});
