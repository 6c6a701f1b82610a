import { expect, it } from '@jest/globals';
import { sheet, zipOf } from '../../../spec/workbook.js';
import { rowsOf } from './file-rows.js';

const read = (content: Uint8Array | string) => rowsOf(Buffer.from(content), 5000);
const rows = async (content: Uint8Array | string) => (await read(content)).rows;
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
  const contacts = await read('BEGIN:VCARD\nFN:Ana\nEND:VCARD');
  expect(contacts).toMatchObject({
    areContacts: true,
    rows: [
      ['Nome', 'WhatsApp', 'Telefone', 'E-mail', 'Observações'],
      ['Ana', '', '', '', ''],
    ],
  });
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

const TOO_LARGE = 'Este arquivo é grande demais. Deixe nele só a lista de alunos e envie de novo.';

/** A zip whose directory and headers say that its only file unpacks to `size` bytes. */
async function declaring(size: number, name: string, content: Buffer): Promise<Buffer> {
  const zip = await zipOf({ [name]: content });
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  for (let at = 0; at < zip.length - 4; at += 1) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true);
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, size, true);
  }
  return zip;
}

it.each([70_000_000, 100])('refuses a zip bomb, also one that says it has %d bytes', async (size) => {
  const bomb = await declaring(size, 'xl/worksheets/sheet1.xml', Buffer.alloc(70_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(rows(bomb)).rejects.toThrow(TOO_LARGE);
});

it.each<[string, string]>([
  ['a row far down', '<row r="999999999"><c r="A1"><v>1</v></c></row>'],
  [
    'cells far apart',
    '<row r="1"><c r="XFD1"><v>1</v></c></row><row r=\'1048576\'><c r="A1048576"><v>1</v></c></row>',
  ],
  ['too many columns', '<row r="1"><c r="XFD1"><v>1</v></c></row>'],
])('refuses a sheet with %s', async (_, cells) => {
  await expect(rows(await zipOf(sheet(cells)))).rejects.toThrow(TOO_LARGE);
});

it.each(['1e12', '&#49;048576000', '0xffffffff'])('refuses a sheet with a row at %j', async (row) => {
  await expect(rows(await zipOf(sheet(`<row r="${row}"/>`)))).rejects.toThrow('Não foi possível ler');
});

it('refuses a sheet whose cells repeat a long text', async () => {
  const repeated = Array.from(
    { length: 3_000 },
    (_, at) => `<row><c r="A${at + 1}" t="s"><v>0</v></c></row>`,
  );
  const long = `<sst><si><t>${'a'.repeat(9_000)}</t></si></sst>`;
  const file = await zipOf({ ...sheet(repeated.join('')), 'xl/sharedStrings.xml': long });
  await expect(rows(file)).rejects.toThrow(TOO_LARGE);
});

it('refuses a damaged zip, or one that is no sheet', async () => {
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
])('refuses what cannot be read, with a way on', async (content, message) => {
  await expect(rows(content)).rejects.toThrow(message);
});
