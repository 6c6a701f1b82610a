import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv.js';

const sheet = async (rows: object[], columns?: readonly string[]) => {
  const chunks: string[] = [];
  for await (const chunk of csvOf(Readable.from(rows), 'America/Rio_Branco', columns)) chunks.push(chunk);
  return chunks.join('');
};

describe('a sheet', () => {
  it('opens in a Brazilian spreadsheet: amounts in reais, days and times alike, in the zone of the business, sim and não', async () => {
    const rows = [
      {
        inicio: new Date('2027-01-05T13:00:00Z'),
        confirmado: true,
        valor: 123_456,
        quantidade: -1,
        local: null,
        dia: '2027-01-05',
      },
      {
        inicio: new Date('2027-01-05T03:00:00Z'),
        confirmado: false,
        valor: -5,
        quantidade: 8,
        local: 'Praça',
        dia: '2027-01-04',
      },
    ];
    expect(await sheet(rows)).toBe(
      '\uFEFFinicio;confirmado;valor;quantidade;local;dia\r\n' +
        '05/01/2027 08:00;sim;1234,56;-1;;05/01/2027\r\n04/01/2027 22:00;não;-0,05;8;Praça;04/01/2027\r\n',
    );
  });

  it.each<[string, object[] | string[], string]>([
    [
      'a receita',
      [
        { tipo: 'imposto', valor: 12_346 },
        { tipo: 'reserva', valor: 24_691 },
      ],
      'imposto 123,46, reserva 246,91',
    ],
    [
      'what was paid of a charge',
      [
        { id: 'a', data: '2026-03-10', valor: 4_000, estornado: true },
        { id: 'b', data: '2026-03-11', valor: 4_000, estornado: false },
      ],
      '10/03/2026 40,00 estornado, 11/03/2026 40,00',
    ],
    ['the reminders of a charge', [{ dia: '2026-11-25', canal: 'email', degrau: -3 }], '25/11/2026 email'],
    ['the bands of a wait', ['manha', 'tarde'], 'manha, tarde'],
    ['nothing', [], ''],
  ])('writes the parts of %s into one cell', async (_whole, partes, words) => {
    expect(await sheet([{ partes }])).toBe(`\uFEFFpartes\r\n${words}\r\n`);
  });

  it.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\tx', '\rx'])(
    '%j is written as text, not as a formula',
    async (words) => {
      expect(await sheet([{ nome: words }])).toMatch(/\n"?'[=+\-@\t\r]/);
    },
  );

  it.each(['Ana\n=1+1', 'Ana\r=1+1', 'Ana\t=1+1', 'Ana,=1+1', 'Ana, @A1', 'Ana;=1+1'])(
    '%j stays in one cell, also in a program that reads commas and tabs as separators',
    async (words) => {
      expect(await sheet([{ nome: words }])).toBe(`\uFEFFnome\r\n"${words}"\r\n`);
    },
  );

  it('quotes separators, quotes and line ends', async () => {
    expect(await sheet([{ nota: 'joelho; "leve"\nhoje' }])).toContain('"joelho; ""leve""\nhoje"\r\n');
  });

  it('is empty without rows, or has only the header where its columns are known', async () => {
    expect(await sheet([])).toBe('');
    expect(await sheet([], ['Data', 'Valor'])).toBe('\uFEFFData;Valor\r\n');
  });
});

it('yields to the event loop while a long sheet is written', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    turning = setImmediate(count);
  };
  let turning = setImmediate(count);
  const text = await sheet(Array.from({ length: 200 }, (_, n) => ({ n })));
  clearImmediate(turning);

  expect(turns).toBeGreaterThanOrEqual(9);
  expect(text.trimEnd().split('\r\n')).toHaveLength(201);
});
