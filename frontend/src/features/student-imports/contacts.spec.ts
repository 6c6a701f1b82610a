import { expect, it } from '@jest/globals';
import { contactsOf } from './contacts.js';

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD'].join('\r\n');

it.each([
  [
    'an iPhone',
    ['VERSION:3.0', 'N:Souza;Ana;;;', 'FN:Ana Souza', 'item1.TEL;type=CELL;type=VOICE:+55 11 94321-4321'],
    ['Ana Souza', '+55 11 94321-4321', '', '', ''],
  ],
  [
    'an old Android, in quoted-printable over two lines',
    [
      'VERSION:2.1',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4A=6F=C3=A3=6F=20=\r\n=4C=69=6D=61',
      'TEL;HOME:1133334444',
      'TEL;CELL:11943214321',
    ],
    ['João Lima', '11943214321', '1133334444', '', ''],
  ],
  [
    'a name without its written form, a folded note and escaped letters',
    [
      'VERSION:4.0',
      'N:Lima;Bia;;;',
      'TEL;VALUE=uri:tel:+5511943214321',
      'EMAIL:bia@exemplo.com.br',
      'NOTE:Joelho\\, esquer',
      ' do\\nManhãs',
    ],
    ['Bia Lima', '+5511943214321', '', 'bia@exemplo.com.br', 'Joelho, esquerdo\nManhãs'],
  ],
])('reads the contact of %s', (_, lines, row) => {
  expect(contactsOf(card(...lines))).toEqual([row]);
});

it('reads every card of a file, and ignores everything else', () => {
  expect(contactsOf(`${card('FN:Ana')}\n\n${card('FN:Bia')}\nnonsense`).map(([nome]) => nome)).toEqual([
    'Ana',
    'Bia',
  ]);
});
