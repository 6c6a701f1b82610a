import { describe, expect, it } from '@jest/globals';
import { guessColumns, linesOf, readRows } from './csv-file.js';
import { isOfx, readOfx } from './ofx.js';
import { centsOf, decode, isBalance, isOwnTransfer, MOST_BYTES } from './statement.js';

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

  it('leaves out balances, and counts them', () => {
    const one = (day: string, amount: string, name: string) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID><NAME>${name}<MEMO></STMTTRN>`;
    const read = readOfx(
      `<OFX>${one('20261101', '5000.00', 'Saldo Anterior')}${one('20261110', '150.00', 'Pix recebido Ana')}${one('20261110', '5150.00', 'Saldo do dia')}`,
    );
    expect([seen(read), read.balances]).toEqual([[['2026-11-10', 15_000, 'Pix recebido Ana']], 2]);
  });

  it('of types without signs has outgoing money by its type', () => {
    const one = (type: string, amount: string) =>
      `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20261110<TRNAMT>${amount}<FITID>${type}${amount}</STMTTRN>`;
    const cents = (text: string) => readOfx(`<OFX>${text}`).lines.map(({ valor }) => valor);
    const unsigned = `${one('DEBIT', '300.00')}${one('CREDIT', '150.00')}${one('FEE', '9.00')}${one('DEBIT', '+5.00')}`;
    expect(cents(unsigned)).toEqual([-30_000, 15_000, -900, 500]);
    // Where amounts have signs, a payment without one came in.
    expect(cents(`${one('DEBIT', '-300.00')}${one('PAYMENT', '20.00')}`)).toEqual([-30_000, 2_000]);
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
      'Data Lançamento;Histórico;Descrição;Valor;Saldo\n05/11/2026;PIX ANA;PIX ANA;480,00;480,00\n06/11/2026;TARIFA;TARIFA;-35,90;444,10\n',
    ],
    [
      'the type Entrada beside every amount',
      'Data;Lançamento;Valor;Tipo Lançamento\n5/11/2026;PIX ANA;480,00 C;Entrada\n6/11/2026;TARIFA;35,90 D;Entrada\n',
    ],
    [
      'outgoing amounts in brackets',
      'Data;Descrição;Valor\n5/11/2026;PIX ANA;480,00\n6/11/2026;TARIFA;(35,90)\n',
    ],
  ])('with %s', (_what, text) => {
    expect(read(text)).toEqual([
      ['2026-11-05', 48_000, 'PIX ANA'],
      ['2026-11-06', -3_590, 'TARIFA'],
    ]);
  });

  it.each([
    [
      'of the Banco do Brasil, with the name in "Detalhes"',
      '"Data","Lançamento","Detalhes","N° documento","Valor","Tipo Lançamento"\n"31/10/2026","Saldo Anterior","","","5.000,00",""\n"05/11/2026","Pix - Recebido","05/11 10:02 ANA PRADO","1","480,00","Entrada"\n"06/11/2026","Pix - Enviado","06/11 09:00 BIA LIMA","2","-35,90","Saída"\n"30/11/2026","S A L D O","","","5.444,10",""\n',
      ['Pix - Recebido 05/11 10:02 ANA PRADO', 'Pix - Enviado 06/11 09:00 BIA LIMA'],
    ],
    [
      'of C6, with the name in "Título" and two columns of amounts',
      'EXTRATO DE CONTA CORRENTE C6 BANK\nData Lançamento,Data Contábil,Título,Descrição,Entrada(R$),Saída(R$),Saldo do Dia(R$)\n05/11/2026,05/11/2026,Pix recebido de ANA PRADO,Pix recebido,480.00,0.00,480.00\n06/11/2026,06/11/2026,Pix enviado para BIA LIMA,Pix enviado,0.00,35.90,444.10\n',
      ['Pix recebido de ANA PRADO Pix recebido', 'Pix enviado para BIA LIMA Pix enviado'],
    ],
    [
      'of Itaú, with balances between',
      'data;lançamento;ag./origem;valor (R$);saldos (R$)\n05/11/2026;PIX TRANSF ANA;;480,00;\n05/11/2026;SALDO TOTAL DISPONÍVEL DIA;;5.480,00;5.480,00\n06/11/2026;TAR;;-35,90;\n',
      ['PIX TRANSF ANA', 'TAR'],
    ],
  ])('%s', (_what, text, texts) => {
    expect(read(text)).toEqual([
      ['2026-11-05', 48_000, texts[0]],
      ['2026-11-06', -3_590, texts[1]],
    ]);
  });

  it('does not take a line with a day for the header, even if its words begin like one', () => {
    const rows = readRows('05/11/2026;DÉBITO AUTOMÁTICO;-35,90\n');
    expect(guessColumns(rows)).toEqual({ data: 0, valor: 2, texto: 1, mais: null, saida: null });
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
  expect(['(12,90)', 'R$ (1.234,56)', '25,00 (-)', '75,00 (+)'].map(centsOf)).toEqual([
    -1_290, -123_456, -2_500, 7_500,
  ]);
  expect(['1.234,56 D', '50,00d', '50,00C', '-50,00D'].map(centsOf)).toEqual([
    -123_456, -5_000, 5_000, -5_000,
  ]);
  expect(['', '-', '1.2.3', 'abc', '1e5', '99999999999999999', '12,345,678,9a'].map(centsOf)).toEqual(
    Array(7).fill(null),
  );
});

it.each([
  ['Saldo do dia', 'Saldo anterior', 'S A L D O', 'SALDO TOTAL DISPONÍVEL DIA', 'SDO CTA/APL AUTOMATICAS'],
  ['Saldo em 30/11/2026', 'Saldo Final', 'SALDO EM CONTA CORRENTE', 'Total', 'Saldo aplic aut mais'],
])('a text that only names a balance is one: %s, %s, %s, %s, %s', (...texts) => {
  expect(texts.map((texto) => isBalance({ texto }))).toEqual(Array(5).fill(true));
});

it('a text that says more than a balance is an entry', () => {
  const texts = [
    'Pix recebido saldo de aulas',
    'Saldo devedor cheque especial juros',
    'TOTAL ACADEMIA',
    'Saldanha',
  ];
  expect(texts.map((texto) => isBalance({ texto }))).toEqual(Array(4).fill(false));
});

it('investments and transfers between own accounts are recognised by their text', () => {
  const own = [
    'Aplicação RDB',
    'Resgate RDB',
    'RESGATE DE CDB',
    'APLICACAO AUTOMATICA FUNDO',
    'BB Rende Fácil',
    'Transferência entre contas',
    'TED mesma titularidade',
    'Dinheiro guardado na Caixinha',
    'RESG AUT MAIS',
    'Transf. poupança p/ conta',
    'Resgate Fundo Renda Fixa',
  ];
  const others = [
    'Pix recebido Ana Prado',
    'Transferência recebida pelo Pix',
    'Aluguel',
    'RENDIMENTO ACADEMIA',
  ];
  expect(own.filter((texto) => !isOwnTransfer({ texto }))).toEqual([]);
  expect(others.filter((texto) => isOwnTransfer({ texto }))).toEqual([]);
});

it('a file that is too large is refused', () => {
  expect(() => decode(new Uint8Array(MOST_BYTES + 1))).toThrow('grande demais');
});
