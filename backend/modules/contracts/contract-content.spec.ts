import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withinBound } from '../../../test/support/eventually.js';
import { blocksOf } from './contract-blocks.html.js';
import { cleanHtml, contentHash, isBlank } from './contract-content.html.js';
import { contractChanges } from './contracts.api.js';
import { fill, unknownFields } from './merge-fields.api.js';

/** Matches any output that is allowed. */
const ALLOWED =
  /^(?:[^<]|<\/?(?:h1|h2|h3|p|ul|ol|li|strong|em|a)>|<br \/>|<a href="(?:https:\/\/|mailto:)[^"<>]*">)*$/i;

const hostile = [
  '<script>alert(1)</script>',
  '<p onclick="alert(1)" style="position:fixed">a</p>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<a href="java\nscript:alert(1)">a</a>',
  '<a href="&#106;avascript:alert(1)">a</a>',
  '<a href="data:text/html,<script>alert(1)</script>">a</a>',
  '<a href="//evil.example">a</a>',
  '<a href="/auth">a</a>',
  '<a href="http://exemplo.com.br">a</a>',
  '<a href="https://exemplo.com.br" target=_blank onmouseover=alert(1)>a</a>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<style>@import "https://evil.example"; * { display: none }</style>',
  '<div style="background:url(https://evil.example)">a</div>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<template><script>alert(1)</script></template>',
  '<xmp><p title="</xmp><script>alert(1)</script>"></xmp>',
  '<textarea><script>alert(1)</script></textarea>',
  '<base href="https://evil.example"><meta http-equiv=refresh content=0>',
  '<p>a<!-- --!><img src=x onerror=alert(1)> --></p>',
  '<<script>script>alert(1)<</script>/script>',
  // Parsed a second time, it gives another text.
  '<p><td><p>a',
  '<a href="https://a.example/&quot;onmouseover=&quot;alert(1)">a</a>',
];

describe('the sanitised content of a hostile text', () => {
  it.each(hostile)('%s', async (html) => {
    const clean = await cleanHtml(html);
    expect(clean).toMatch(ALLOWED);
    expect(clean).not.toMatch(/alert\(1\)<\/script|onerror=(?!alert\(1\)&)|javascript:/i);
    expect(await cleanHtml(clean)).toBe(clean);
  });

  it.each([
    '\u202e',
    '&#8238;',
    '&#x202e;',
    '&#x202E;',
    '&zwj;',
    '&zwnj;',
    '&rlm;',
    '&lrm;',
    '&shy;',
    '&NoBreak;',
    '&ZeroWidthSpace;',
    '&InvisibleTimes;',
    '&af;',
    '&#x2066;',
    '&#xfeff;',
    '&#917607;',
  ])('shows the same on a page and in a PDF with %s, which nobody sees', async (unseen) => {
    const clean = await cleanHtml(`<p>R$ ${unseen}100,00</p>`);
    expect(clean).toBe('<p>R$ 100,00</p>');
    expect(blocksOf(clean)[0]!.runs.map(({ text }) => text)).toEqual(['R$ 100,00']);
  });

  it('keeps the joiners of scripts and of emojis that need them', async () => {
    for (const text of ['<p>می\u200cخواهم שלום</p>', '<p>👩🏽\u200d🚀</p>'])
      expect(await cleanHtml(text)).toBe(text);
  });

  it('keeps what the editor can produce', async () => {
    const written =
      '<h2>Título</h2><p><strong>a</strong> <em>b</em><br /><a href="https://exemplo.com.br">c</a></p><ol><li><p>d</p></li></ol>';
    expect(await cleanHtml(written)).toBe(written);
    expect(await cleanHtml('<b>a</b><i>b</i><h5>c</h5>')).toBe('<strong>a</strong><em>b</em><h3>c</h3>');
  });

  it('is nested to a limited depth', async () => {
    const clean = await cleanHtml(`${'<ul><li>'.repeat(10_000)}fundo`);
    expect(clean.split('<ul>').length).toBeLessThan(30);
    expect(clean).toMatch(ALLOWED);
  });

  it('contains only allowed elements for any input, and does not change when sanitised again', async () => {
    const pieces = [
      '<',
      '>',
      '"',
      "'",
      '&',
      '=',
      '/',
      'script',
      'style',
      'p',
      'a href',
      'svg',
      '!--',
      '--',
      'x',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...pieces, ...hostile), fc.string()), { maxLength: 12 }),
        async (parts) => {
          const clean = await cleanHtml(parts.join(''));
          expect(clean).toMatch(ALLOWED);
          expect(await cleanHtml(clean)).toBe(clean);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has a limited number of marks', () => {
    const bold = (times: number) => contractChanges.safeParse({ conteudo: '<b>a</b>'.repeat(times) });
    expect(bold(999).success).toBe(true);
    expect(bold(1_000).error?.issues[0]?.message).toBe('O contrato tem formatação demais');
  });

  it('counts as blank without readable text', async () => {
    expect(isBlank(await cleanHtml('<p>&nbsp;</p><script>a</script><p><br></p>'))).toBe(true);
    expect(isBlank('<p>a</p>')).toBe(false);
  });
});

describe('merge fields', () => {
  it('are filled with escaped text that cannot add a tag or another field', () => {
    const aluno = '<script>alert(1)</script>{{cpf}}"&';
    const filled = fill('<p>{{aluno}} {{ cpf }}</p>', { aluno, cpf: '1' });
    expect(filled).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;&#123;&#123;cpf&#125;&#125;&quot;&amp; 1</p>',
    );
    expect(fill(filled, { cpf: '2' })).toBe(filled);
  });

  it('are not filled inside a tag', () => {
    const link = '<a href="https://exemplo.com.br/{{aluno}}">{{aluno}}</a>';
    expect(fill(link, { aluno: 'Ana' })).toBe('<a href="https://exemplo.com.br/{{aluno}}">Ana</a>');
  });

  it('stay where there is no value, and unknown ones are reported', () => {
    expect(fill('{{aluno}} {{outro}}', {})).toBe('{{aluno}} {{outro}}');
    expect(unknownFields('{{aluno}} {{outro}} {{outro}} {{constructor}} {{}}')).toEqual([
      'outro',
      'constructor',
      '',
    ]);
  });

  it('are looked for in bounded time', () => {
    expect(withinBound(() => unknownFields(`{{${' '.repeat(500_000)}a`))).toEqual([]);
    expect(withinBound(() => unknownFields(`{{${' '.repeat(500_000)}a }}`))).toEqual(['a']);
  });
});

it('the content hash changes with each of its parts', () => {
  const content = { contract_id: 'a', versao: 1, titulo: 'b', conteudo: 'c', sal: null };
  const hashes = [
    content,
    { ...content, contract_id: 'x' },
    { ...content, versao: 2 },
    { ...content, titulo: 'x' },
    { ...content, conteudo: 'x' },
    { ...content, sal: 'x' },
  ].map(contentHash);
  expect(new Set(hashes).size).toBe(6);
  // The hash of a signature without a salt must never change.
  expect(hashes[0]).toBe(
    createHash('sha256').update('{"contract_id":"a","versao":1,"titulo":"b","conteudo":"c"}').digest('hex'),
  );
  expect(hashes[0]).toMatch(/^[\da-f]{64}$/);
});
