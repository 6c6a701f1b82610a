import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { textOf } from '../../../test/support/pdf-text.js';
import { writePdf } from './pdf.js';
import { readFonts } from './script-fonts.js';
import { partsOf, printable, scripts, withoutEmojis } from './scripts.js';

const info = {
  title: 'Recibo nº 1',
  author: 'João Conceição',
  footer: 'Rende',
  createdAt: new Date('2026-11-20T12:00:00Z'),
};

describe('writePdf', () => {
  it('embeds its fonts and stays small', async () => {
    const file = await writePdf(info, (sheet) => {
      sheet.heading('Recibo nº 1');
      sheet.paragraph([
        { text: 'Recebi ' },
        { text: 'R$\u00a01,00', bold: true },
        { text: ' de João', italic: true },
      ]);
      sheet.facts([['Valor', 'R$\u00a01,00']]);
      sheet.qr('https://rende.app/verificar/ABCD', ['Código ABCD']);
    });
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.toString('latin1')).toMatch(/\/FontFile2/);
    expect(file.toString('latin1')).not.toMatch(/Helvetica/);
    expect(file.length).toBeLessThan(60_000);
  });

  it('numbers the pages of a long table, and yields to the event loop meanwhile', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [`Linha ${index}`, 'R$\u00a01,00']);
    let turns = 0;
    const count = () => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    const file = await writePdf(info, (sheet) =>
      sheet.table(
        [
          { label: 'O quê', width: 3 },
          { label: 'Valor', width: 1, align: 'right' },
        ],
        rows,
        { total: ['Total', 'R$\u00a0120,00'] },
      ),
    );
    clearImmediate(turning);
    expect(turns).toBeGreaterThanOrEqual(rows.length);
    const pages = file.toString('latin1').match(/\/Type \/Page\b/g)!.length;
    expect(pages).toBeGreaterThan(2);
    expect(pages).toBeLessThan(6);
  });

  it('writes names in other scripts completely, as text that can be copied', async () => {
    const names = ['Łukasz Dvořák', 'Őry Ştefan', 'Иван Петров', 'Nguyễn Thị Hương', 'Ana 💪'];
    const file = await writePdf({ ...info, footer: names[2]! }, async (sheet) => {
      sheet.heading(names[0]!);
      sheet.paragraph(names.join(', '));
      sheet.facts(names.map((name) => [name, name]));
      await sheet.table([{ label: 'Nome', width: 1, align: 'right' }], [[names[2]!]]);
    });
    const text = textOf(file);
    for (const [name, times] of [
      ['Łukasz Dvořák', 4],
      ['Őry Ştefan', 3],
      ['Иван Петров', 5],
      ['Nguyễn Thị Hương', 3],
      ['Ana', 3],
      ['U+', 0],
    ] as const)
      expect([name, text.split(name).length - 1]).toEqual([name, times]);
  });

  it('writes every character of what was signed', async () => {
    const file = await writePdf({ ...info, exact: true }, (sheet) => sheet.paragraph('Ana 💪 ✅'));
    expect(textOf(file)).toContain('Ana [U+1F4AA] [U+2705]');
  });

  it('breaks lines of other scripts within the page', async () => {
    const word = 'Здравствуйте ';
    const file = await writePdf(info, (sheet) => sheet.paragraph(word.repeat(100)));
    expect(textOf(file).split(word.trim()).length - 1).toBe(100);
    const lefts = new Set(Array.from(textLines(file), ([x]) => x));
    expect(Math.min(...lefts)).toBeGreaterThanOrEqual(56);
    expect(Math.max(...lefts)).toBeLessThan(595 - 56);
  });

  it('writes identical files for identical content', async () => {
    const write = () => writePdf(info, (sheet) => sheet.paragraph('Oi'));
    expect(await write()).toEqual(await write());
  });
});

/** Positions at which each piece of text begins. */
function textLines(file: Buffer): [x: number, y: number][] {
  const streams = file.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  const content = Array.from(streams, ([, stream]) => {
    try {
      return inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  }).join('\n');
  return Array.from(content.matchAll(/^1 0 0 1 ([\d.]+) ([\d.]+) Tm$/gm), ([, x, y]) => [
    Number(x),
    Number(y),
  ]);
}

describe('letters', () => {
  it('are assigned to the font files that contain them', async () => {
    const letters = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).filter(
      (letter) => printable(letter) === letter && letter !== '\n',
    );
    expect(letters.length).toBeGreaterThan(600);
    for (const { weight, script, sfnt } of await readFonts()) {
      const doc = new PDFDocument({ font: '' });
      const { _font } = doc.font(sfnt) as unknown as {
        _font: { font: { hasGlyphForCodePoint: (code: number) => boolean } };
      };
      const wrong = letters.filter(
        (letter) =>
          partsOf(letter)[0]!.script === script && !_font.font.hasGlyphForCodePoint(letter.codePointAt(0)!),
      );
      expect([weight, script, wrong]).toEqual([weight, script, []]);
    }
    expect(scripts).toHaveLength(5);
  });

  it.each([
    ['João Conceição Araújo — 50 % “ok” € nº ª', 'João Conceição Araújo — 50 % “ok” € nº ª'],
    ['Joa\u0303o', 'João'],
    ['Łukasz Dvořák', 'Łukasz Dvořák'],
    ['Aula 💪 de\tforça', 'Aula [U+1F4AA] de força'],
    ['👩🏽\u200d🚀❤\ufe0f', '[U+1F469][U+1F3FD][U+1F680][U+2764]'],
    ['ﬁm ①', 'fim 1'],
    ['山田', '[U+5C71][U+7530]'],
    ['a\u0000b\u202e\u00ad', 'ab'],
  ])('writes %j as %j', (text, written) => {
    expect(printable(text)).toBe(written);
    expect(printable(written)).toBe(written);
  });

  it.each([
    ['Ana 💪', 'Ana'],
    ['👩🏽\u200d🚀 Ana', 'Ana'],
    ['Ana 💪 🔥 Prado', 'Ana Prado'],
    ['Ana💪 Prado ', 'Ana Prado '],
    ['Ana ❤\ufe0f1\ufe0f\u20e3 🇧🇷', 'Ana 1'],
    [' de João, 10 # * © ®', ' de João, 10 # * © ®'],
    ['山田 → ✓', '山田 → ✓'],
    ['💪', '💪'],
  ])('of the name %j leave %j in print', (name, left) => {
    expect(withoutEmojis(name)).toBe(left);
    expect(withoutEmojis(left)).toBe(left);
  });
});
