import { describe, expect, it } from '@jest/globals';
import { writePdf } from './pdf.js';
import { printable } from './printable.js';

const info = {
  ...{ title: 'Recibo nº 1', author: 'João Conceição', footer: 'Rende' },
  createdAt: new Date('2026-11-20T12:00:00Z'),
};

describe('writePdf', () => {
  it('embeds its fonts and stays small', async () => {
    const file = await writePdf(info, (sheet) => {
      sheet.heading('Recibo nº 1');
      sheet.paragraph([
        { text: 'Recebi ' },
        { text: 'R$ 1,00', bold: true },
        { text: ' de João', italic: true },
      ]);
      sheet.facts([['Valor', 'R$ 1,00']]);
      sheet.qr('https://rende.app/verificar/ABCD', ['Código ABCD']);
    });
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.toString('latin1')).toMatch(/\/FontFile2/);
    expect(file.toString('latin1')).not.toMatch(/Helvetica/);
    expect(file.length).toBeLessThan(60_000);
  });

  it('numbers as many pages as a long table takes', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [`Linha ${index}`, 'R$ 1,00']);
    const file = await writePdf(info, (sheet) => {
      sheet.table(
        [
          { label: 'O quê', width: 3 },
          { label: 'Valor', width: 1, align: 'right' },
        ],
        rows,
        ['Total', 'R$ 120,00'],
      );
    });
    const pages = file.toString('latin1').match(/\/Type \/Page\b/g)!.length;
    expect(pages).toBeGreaterThan(2);
    expect(pages).toBeLessThan(6);
  });

  it('makes the same file of the same content', async () => {
    const write = () => writePdf(info, (sheet) => sheet.paragraph('Oi'));
    expect(await write()).toEqual(await write());
  });
});

describe('printable', () => {
  it.each([
    ['João Conceição Araújo — 50 % “ok” € nº ª', 'João Conceição Araújo — 50 % “ok” € nº ª'],
    ['Joa\u0303o', 'João'],
    ['Łukasz Dvořák', 'Lukasz Dvorák'],
    ['Aula 💪 de\tforça', 'Aula  de força'],
    ['a\u0000b\u202e', 'ab'],
  ])('writes %j as %j', (text, written) => {
    expect(printable(text)).toBe(written);
  });
});
