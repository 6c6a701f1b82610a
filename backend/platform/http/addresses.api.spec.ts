import { describe, expect, it } from '@jest/globals';
import { hasAddress, withoutAddresses } from './addresses.api.js';
import { name } from './common.api.js';

describe('a name or title', () => {
  it.each([
    ['a scheme', 'Banco Seguro: acesse https://evil.example'],
    ['a scheme that is written apart', 'hxxp : / / evil'],
    ['an ending', 'golpe.co'],
    ['an ending in the middle', 'Veja evil.com agora'],
    ['an ending of a country', 'evil.de'],
    ['a short host', 't.me/golpe'],
    ['no scheme but a path', 'bit.ly/pix'],
    ['blanks around the dot', 'evil . com'],
    ['a blank before the dot', 'evil .com'],
    ['a blank after the dot', 'Acesse evil. com'],
    ['brackets around the dot', 'evil[.]com'],
    ['a dot in words', 'evil (ponto) com (dot) br'],
    ['a soft hyphen', 'ev\u00adil.c\u00adom'],
    ['an invisible character', 'evil.\u200bcom'],
    ['full-width letters', 'ｅｖｉｌ．ｃｏｍ'],
    ['another dot', 'evil。com'],
    ['a dot that is raised', 'evil․com'],
    ['letters of another alphabet', 'bаnсо.соm'],
    ['an encoded host', 'evil.xn--p1ai'],
    ['an e-mail address', 'ana@banco.fi'],
    ['www', 'www.banco'],
    ['capitals', 'EVIL.COM.BR'],
    ['numbers', '10.20.30.40'],
    ['an ending that is a word', 'studio.fit'],
    ['a blank before such an ending', 'golpe .shop'],
    ['an ending that nobody has listed', 'Banco Seguro: acesse bancoseguro.academy'],
    ['such an ending in capitals', 'Bancoseguro.Fitness'],
    ['an ending of a company', 'Acesse pix.bradesco'],
    ['such an ending and a path', 'acesse evil.art/x'],
    ['a short host and a path', 'acesse x.guru/pix'],
    ['a host like a title and a path', 'acesse prof.academy/x'],
    ['a host like a title and a query', 'acesse prof.academy?x=1'],
    ['a host like a title and a port', 'acesse prof.academy:8080'],
    ['a part of a single letter', 'bancoseguro.a.guru'],
    ['a host that ends like a title', 'banco-dr.academy'],
    ['a title before a host', 'Dra.Paula.best'],
    ['brackets before any ending', 'evil[.]guru'],
    ['a raised dot before a usual ending', 'evil·com'],
  ])('with %s has an address', (_what, text) => {
    expect(hasAddress(text)).toBe(true);
    expect(hasAddress(withoutAddresses(text))).toBe(false);
  });

  it.each([
    'Studio J.R.',
    'Dr. Ana',
    'Dra.Ana Prado',
    'Pilates 2.0',
    'Crossfit São João',
    'Ana M.Souza Jr.',
    'J.de Souza',
    'Dr.Jo Prado',
    'Souza.Jr',
    'M. do Carmo',
    'Funcional c/ elástico',
    'Seg/Qua/Sex',
    'Plano 3x/semana',
    'Av. Brasil, 1.200',
    'Academia @ Praia',
    'Ana (@anafit)',
    'Corrida 5.000 m',
    'Recibo nº 12: R$\u00a01.234,56',
    'Sua aula com Ana é sex., 27 de nov., às 7:00.',
    'Oi, Zé. Me liga. Com carinho, Ana',
    'Treino A.B.C.',
    'ليلى',
    'И. Петров',
    'Maria d’Ávila · força',
    'Ana 💪🏽',
    'Reserva de seg. a sex.',
    'Studio B.Fit',
    'Ana S.A.',
    'J.P. Silva',
    'Dr. Ana',
    'Eng.Li Wei',
    'S.O.S. Coluna',
    'Pilates · Club',
    'Zé & Cia.',
    'Ana F. de O. Jr.',
    'Dra.Paula',
    'Prof.Ana',
    'Profª.Ana',
    'Prof.Dr.Ana',
    'Sra.Lúcia e Sr.Zé',
    'J.P.Silva',
    'Dr.J.Silva',
    'Av.Brasil',
    'Pilates·Yoga',
    'Força • Saúde',
    'Treino… já',
    '3.000m e 1.5kg',
    'C.R. Flamengo',
    'Vôlei 4x4 (seg. e qua.)',
  ])('%j has none, and stays as it is', (text) => {
    expect(hasAddress(text)).toBe(false);
    expect(withoutAddresses(text)).toBe(text);
  });

  it('loses only its address in a mail', () => {
    expect(withoutAddresses('Banco Seguro: acesse https://evil.example/pix?a=1 já, ½ hora')).toBe(
      'Banco Seguro: acesse [link removido] já, ½ hora',
    );
    expect(withoutAddresses('Veja ｅｖｉｌ．ｃｏｍ e ana@banco.com')).toBe(
      'Veja [link removido] e [link removido]',
    );
  });

  it.each(['a', 'a.', ' .', '( .', '@-', ' '])(
    'is searched in %j, many times repeated, in its length',
    (part) => {
      const text = part.repeat(50_000);
      expect(withoutAddresses(text)).toBe(text);
    },
  );
});

it.each([
  ['a line break', 'Ana\r\n Souza', 'Ana Souza'],
  ['a soft hyphen', 'A\u00adna Souza', 'Ana Souza'],
  ['full-width letters', 'Ａｎａ Souza', 'Ana Souza'],
  ['letters of formulas', '𝐀𝐧𝐚 𝑺𝒐𝒖𝒛𝒂', 'Ana Souza'],
  ['signs of its own', 'Profª Zoë ½', 'Profª Zoë ½'],
  ['an address', 'Ana golpe.com', undefined],
])('a name with %s is stored clean, or refused', (_what, typed, stored) => {
  expect(name(2, 80).safeParse(typed).data).toBe(stored);
});
