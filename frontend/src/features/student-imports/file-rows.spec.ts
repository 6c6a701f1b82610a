import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { ZipFile } from 'yazl';
import { readFile } from './file-rows.js';
import { unpackedSize } from './unpacked-size.js';

const file = (content: Uint8Array | string) => new File([content as BlobPart], 'alunos');
const rows = async (content: Uint8Array | string) => (await readFile(file(content))).rows;
const ana = [
  ['Nome', 'WhatsApp'],
  ['Ana Conceição', '(11) 94321-4321'],
];

it.each([';', ',', '\t'])('reads a text separated by %j', async (separator) => {
  expect(await rows(ana.map((row) => row.join(separator)).join('\r\n'))).toEqual(ana);
});

it('keeps quoted cells together', async () => {
  expect(await rows('Nome;Obs\n"Ana; a primeira";"diz ""oi""\nsempre"\n\n;\n')).toEqual([
    ['Nome', 'Obs'],
    ['Ana; a primeira', 'diz "oi"\nsempre'],
  ]);
});

it.each<[string, (text: string) => Uint8Array]>([
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['Latin-1', (text) => Buffer.from(text, 'latin1')],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('reads %s', async (_, encoded) => {
  expect(await rows(encoded('Nome;WhatsApp\r\nAna Conceição;(11) 94321-4321'))).toEqual(ana);
});

it('removes the apostrophe with which exports prevent formulas, and runs no formula', async () => {
  expect(await rows("Nome;WhatsApp\nAna;'+5511943214321\n=1+1;'=HYPERLINK(0)")).toEqual([
    ['Nome', 'WhatsApp'],
    ['Ana', '+5511943214321'],
    ['=1+1', '=HYPERLINK(0)'],
  ]);
});

it('recognises contacts by their content', async () => {
  const contacts = await readFile(file('BEGIN:VCARD\nFN:Ana\nEND:VCARD'));
  expect(contacts).toMatchObject({
    areContacts: true,
    rows: [
      ['Nome', 'WhatsApp', 'Telefone', 'E-mail', 'Observações'],
      ['Ana', '', '', '', ''],
    ],
  });
});

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const sheet = (cells: string) => ({
  '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  'xl/workbook.xml':
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Alunos" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/styles.xml':
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`,
});

it('reads a sheet with texts, numbers and dates', async () => {
  const cells =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Ana Conceição</t></is></c><c r="B1"><v>11943214321</v></c><c r="C1" s="1"><v>47848</v></c></row>';
  expect(await rows(await zipOf(sheet(cells)))).toEqual([['Ana Conceição', '11943214321', '31/12/2030']]);
});

it('reads computed numbers as sheets show them, without the remainders of binary fractions', async () => {
  const cells =
    '<row r="1"><c r="A1"><v>315.00000000000006</v></c><c r="B1"><v>33.333333333333336</v></c><c r="C1"><v>1234.5</v></c></row>';
  expect(await rows(await zipOf(sheet(cells)))).toEqual([['315', '33.33', '1234.5']]);
});

it('computes the unpacked size of a zip, and refuses a zip bomb, a damaged file, or one that is no sheet', async () => {
  const bomb = await zipOf({ 'xl/worksheets/sheet1.xml': Buffer.alloc(70_000_000) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(unpackedSize(bomb)).toBe(70_000_000);
  await expect(rows(bomb)).rejects.toThrow('A planilha é grande demais.');
  const other = await zipOf({ 'a.txt': 'a' });
  for (const damaged of [other, other.subarray(0, 40), Buffer.from('PK')])
    await expect(rows(damaged)).rejects.toThrow('Não foi possível ler a planilha.');
});

it.each([
  ['', 'O arquivo está vazio.'],
  [' \n\t', 'O arquivo está vazio.'],
  ['a\0b', 'Não reconhecemos este arquivo.'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]), 'formato antigo (.xls)'],
  ['Ana;1\n'.repeat(5021), 'O arquivo tem 5.021 linhas. Importe até 5.000 por vez.'],
  [Buffer.alloc(100_000_000), 'O arquivo tem 100 MB. Envie um de até 10 MB.'],
])('refuses what cannot be read, with a way on', async (content, message) => {
  await expect(rows(content)).rejects.toThrow(message);
});
