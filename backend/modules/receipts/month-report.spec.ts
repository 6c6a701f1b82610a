import { expect, it } from '@jest/globals';
import { pageLinesOf } from '../../../test/support/pdf-text.js';
import { monthReport, type ReportedEntry } from './month-report.pdf.js';

it('writes heads, days, CPFs, CNPJs and amounts of the month on one line each', async () => {
  const entry: ReportedEntry = {
    data: '2026-10-28',
    valor: 88_888_888,
    descricao: 'Renovação · Pacote 20 aulas',
    categoria: null,
    pagador: 'Luísa Dias Castro',
    cpf: '88888888888',
    recibo: 1288,
  };
  const despesa: ReportedEntry = {
    ...entry,
    categoria: 'equipamentos',
    pagador: null,
    cpf: null,
    recibo: null,
  };
  const file = await monthReport({
    month: '2026-10',
    prestador: null,
    quantidade: 2,
    recebido: 888_888_888,
    gasto: 888_888_888,
    receitas: [entry, { ...entry, cpf: '88888888888888' }],
    despesas: [despesa],
    lacre: null,
    verificacao: '',
    writtenAt: new Date('2026-11-01T12:00:00Z'),
  });
  const lines = pageLinesOf(file).flat();
  expect(lines).toEqual(
    expect.arrayContaining([
      'Data',
      'Quem pagou',
      'CPF ou CNPJ',
      'Referente a',
      'Recibo',
      'Valor',
      '28/10/2026',
      '888.888.888-88',
      '88.888.888/8888-88',
      '1288',
      'R$\u00a0888.888,88',
      'R$\u00a08.888.888,88',
    ]),
  );
  expect(lines.filter((line) => line === '28/10/2026')).toHaveLength(3);
});
