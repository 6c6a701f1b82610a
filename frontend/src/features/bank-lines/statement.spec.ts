import { describe, expect, it } from '@jest/globals';
import { guessColumns, linesOf, readRows } from './csv-file.js';
import { isOfx, readOfx } from './ofx.js';
import { centsOf, decode, MOST_BYTES } from './statement.js';

const sgml = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX>
<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL
<BANKACCTFROM><BANKID>0341<ACCTID>12345-6<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>20261101<DTEND>20261130
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20261105120000[-3:BRT]
<TRNAMT>480.00
<FITID>N1001
<MEMO>PIX RECEBIDO JOÃO &amp; MARIA
</STMTTRN>
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20261106
<TRNAMT>-1.800,50
<FITID>N1002
<NAME>Aluguel
<MEMO>Aluguel
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261107<TRNAMT>10,00<MEMO>Sem fim
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211"?>
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>
<BANKACCTFROM><BANKID>0341</BANKID><ACCTID>12345-6</ACCTID></BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261105</DTPOSTED><TRNAMT>480.00</TRNAMT>
<FITID>N1001</FITID><MEMO><![CDATA[PIX RECEBIDO JOÃO & MARIA]]></MEMO></STMTTRN></BANKTRANLIST>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const seen = ({ lines }: ReturnType<typeof readOfx>) =>
  lines.map(({ data, valor, texto }) => [data, valor, texto]);

describe('an OFX file', () => {
  it('is read as SGML in Latin-1, without closing tags', () => {
    const text = decode(latin1(sgml));
    expect(isOfx(text)).toBe(true);
    expect(seen(readOfx(text))).toEqual([
      ['2026-11-05', 48_000, 'PIX RECEBIDO JOÃO & MARIA'],
      ['2026-11-06', -180_050, 'Aluguel'],
      ['2026-11-07', 1_000, 'Sem fim'],
    ]);
  });

  it('gives the same keys when it is XML in UTF-8', () => {
    const text = decode(new TextEncoder().encode(xml));
    expect(seen(readOfx(text))).toEqual([['2026-11-05', 48_000, 'PIX RECEBIDO JOÃO & MARIA']]);
    expect(readOfx(text).lines[0]!.chave).toBe(readOfx(sgml).lines[0]!.chave);
  });

  it('skips and counts transactions without a date or an amount', () => {
    const one = (day: string, amount: string) =>
      `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>1</STMTTRN>`;
    const { lines, unread } = readOfx(
      `<OFX>${one('20260230', '1')}${one('', '1')}${one('20261105', 'NaN')}${one('20261105', '0.00')}${one('20261105', '1e9')}`,
    );
    expect([lines, unread]).toEqual([[], 5]);
  });

  it('gives two equal payments of a day different keys, the same each time', () => {
    const twice = '<STMTTRN><DTPOSTED>20261105<TRNAMT>5.00<MEMO>Pix</STMTTRN>'.repeat(2);
    const keys = readOfx(`<OFX>${twice}`).lines.map(({ chave }) => chave);
    expect(new Set(keys).size).toBe(2);
    expect(readOfx(`<OFX>${twice}`).lines.map(({ chave }) => chave)).toEqual(keys);
  });

  it.each([
    ['nothing but beginnings', '<STMTTRN'.repeat(150_000)],
    ['open tags', '<OFX><STMTTRN><MEMO>'.repeat(2_000)],
    ['open quotes', '<A><![CDATA['.repeat(100_000)],
    ['entities of its own', `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}">]><OFX>${'&b;'.repeat(100_000)}`],
    ['names of objects', '<OFX><STMTTRN><__proto__>1<CONSTRUCTOR>2<DTPOSTED>20261105<TRNAMT>1</STMTTRN>'],
    [
      'half of a pair',
      '<OFX><STMTTRN><DTPOSTED>20261105<TRNAMT>1<MEMO>\ud83d\u0000&#xd800;&#1114112;</STMTTRN>',
    ],
  ])('of %s is read to its end', (_what, text) => {
    const { lines } = readOfx(text);
    for (const { texto } of lines) expect(texto).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });

  it('with too many lines is refused', () => {
    expect(() => readOfx('<STMTTRN>'.repeat(3_002))).toThrow('linhas demais');
  });
});

describe('a CSV file', () => {
  const read = (text: string) => {
    const rows = readRows(text);
    return linesOf(rows, guessColumns(rows)).lines.map(({ data, valor, texto }) => [data, valor, texto]);
  };

  it('with commas and ISO amounts is read by guessed columns', () => {
    expect(
      read(
        'Data,Valor,Identificador,Descrição\n05/11/2026,480.00,6a7b-1,"Pix de Ana, a ""Nana"""\n06/11/2026,-35.90,6a7b-2,Mercado\n',
      ),
    ).toEqual([
      ['2026-11-05', 48_000, 'Pix de Ana, a "Nana"'],
      ['2026-11-06', -3_590, 'Mercado'],
    ]);
  });

  it('is read with semicolons, titles above, and a column for outgoing money', () => {
    const text = [
      'Extrato da conta;12345-6',
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$)',
      '05/11/26;PIX RECEBIDO ANA;1;1.480,00;;2.000,00',
      '06/11/26;TARIFA;2;;-35,90;1.964,10',
      '30/11/26;SALDO FINAL;;;;1.964,10',
    ].join('\r\n');
    expect(read(text)).toEqual([
      ['2026-11-05', 148_000, 'PIX RECEBIDO ANA'],
      ['2026-11-06', -3_590, 'TARIFA'],
    ]);
  });

  it.each([
    [
      'a column that says D or C, and days without signs',
      '"Conta";"Data_Mov";"Nr_Doc";"Historico";"Valor";"Deb_Cred"\n"1";"20261105";"7";"PIX ANA";"480.00";"C"\n"1";"20261106";"8";"TARIFA";"35.90";"D"\n',
    ],
    [
      'a column that says Entrada or Saída beside signs',
      'Data,Lançamento,Valor,Tipo Lançamento\n05/11/2026,PIX ANA,"480,00",Entrada\n06/11/2026,TARIFA,"-35,90",Saída\n',
    ],
    [
      'D or C behind the amount',
      'DATA;DOCUMENTO;HISTÓRICO;VALOR\n05/11/2026;7;PIX ANA;480,00C\n06/11/2026;8;TARIFA;35,90 D\n',
    ],
    [
      'a title of the day that ends as one of a text',
      'Data Lançamento;Histórico;Descrição;Valor;Saldo\n05/11/2026;Pix recebido;PIX ANA;480,00;480,00\n06/11/2026;Tarifa;TARIFA;-35,90;444,10\n',
    ],
  ])('with %s', (_what, text) => {
    expect(read(text)).toEqual([
      ['2026-11-05', 48_000, 'PIX ANA'],
      ['2026-11-06', -3_590, 'TARIFA'],
    ]);
  });

  it('does not take a line with a day for the header, even if its words begin like one', () => {
    const rows = readRows('05/11/2026;DÉBITO AUTOMÁTICO;-35,90\n');
    expect(guessColumns(rows)).toEqual({ data: 0, valor: 2, texto: 1, saida: null });
  });

  it.each([
    ['an open quote', '"'.repeat(100_001)],
    ['delimiters', ';'.repeat(1_000_000)],
    ['nothing', ''],
    ['bytes', decode(Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256))],
  ])('of %s is read to its end', (_what, text) => {
    expect(read(text)).toEqual([]);
  });
});

it('amounts are read only in the formats of banks', () => {
  expect(
    ['480.00', '-1.234,56', '1,234.56', 'R$ 50,00', '50,00-', '+5', '\u22127,5', '1.234'].map(centsOf),
  ).toEqual([48_000, -123_456, 123_456, 5_000, -5_000, 500, -750, 123_400]);
  expect(['1.234,56 D', '50,00d', '50,00C', '-50,00D'].map(centsOf)).toEqual([
    -123_456, -5_000, 5_000, -5_000,
  ]);
  expect(['', '-', '1.2.3', 'abc', '1e5', '99999999999999999', '12,345,678,9a'].map(centsOf)).toEqual(
    Array(7).fill(null),
  );
});

it('a file that is too large is refused', () => {
  expect(() => decode(new Uint8Array(MOST_BYTES + 1))).toThrow('grande demais');
});
