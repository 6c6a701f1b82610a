import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it, test } from '@jest/globals';
import ts from 'typescript';

/** What no text says, a text that says it, and what it says instead. */
const wrongForms: [pattern: RegExp, example: string, right: string][] = [
  [
    /\b1 (alunos|créditos|sessões|planos|locais)\b|\} (alunos (cadastrados|inativos)|créditos)\b/,
    '1 alunos cadastrados',
    '1 aluno cadastrado, by plural()',
  ],
  [/relógio diz/, 'O relógio diz outra coisa', 'Faltam 5 h, ainda dá tempo: este motivo não cobra nada.'],
  [/\b[Uu]s(a|ou|ar) (1 )?crédito/, 'usa 1 crédito e taxa de R$ 45,00', 'desconta 1 crédito e cobra taxa de'],
  [/^Desfeito\b/, 'Desfeito', 'Renovação desfeita; Cancelamento desfeito'],
  [
    /será enviada|^a enviar$/,
    'Sem internet: será enviada',
    'Será enviado quando a internet voltar; Ainda não enviado',
  ],
  [/\bestá a \p{L}+r\b/u, 'está a enviar', 'Ainda não enviado'],
  [
    /[Ee]squecer (aluno|para)|ESQUECER|[Aa]luno esquecido/,
    'Esquecer aluno',
    'Apagar dados do aluno (LGPD), APAGAR',
  ],
  [/^(Some|Fica|Cancela)$|\bo que some\b/, 'Some', 'Será apagado; Será mantido; Será cancelado'],
  [/\bDesligar\b|Ligar verificação|etapas (des)?ligada/, 'Ligar verificação', 'Ativar; Desativar'],
  [/[Cc]ódigo QR|Leia o código|seis números/, 'Código QR', 'QR Code; Escaneie; 6 dígitos'],
  [
    /A cada entrada|aparelhos saem/,
    'A cada entrada',
    'A cada login; Os outros aparelhos serão desconectados',
  ],
  [/Ir para a entrada/, 'Ir para a entrada', 'Ir para o login'],
  [/Convite aberto|, uma vez só/, 'Convite aberto, uma vez só', 'Convite pendente, uso único'],
  [/não está mais aberto/, 'Este cadastro não está mais aberto', 'expirou'],
  [/\bvalem \S+ dias/, 'valem 35 dias', 'validade de 35 dias'],
  [/\bUsar 1\b/, 'Usar 1', 'Dar baixa em 1 crédito'],
  [/Acrescent|\b(Retirar|Retirou|Retire)\b/, 'Acrescentar', 'Adicionar; Remover'],
  [/Renovou: recebeu/, 'Renovou: recebeu 10 créditos', 'Renovou o plano: +10 créditos'],
  [/Agora, nada marcado/, 'Agora, nada marcado', 'Livre agora'],
  [/Corrigir a anterior/, 'Corrigir a anterior', 'Corrigir resposta anterior'],
  [/Aqui está o que você/, 'Aqui está o que você já tinha digitado', 'Recuperamos o que você tinha digitado'],
  [/Dinheiro de/, 'Dinheiro de novembro', 'Financeiro de novembro'],
  [/sem dados de/, 'sem dados de out.', 'sem dados em out.'],
];

const rightFormFor = (text: string) => wrongForms.find(([pattern]) => pattern.test(text))?.[2];

/** The string literals, templates and JSX texts of a file; `${}` stands for what is filled in. */
function textsOf(file: string, source: string): { line: number; text: string }[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const texts: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (text)
      texts.push({ line: parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1, text });
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return texts;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('');
}

test.each(wrongForms)('%s is found in "%s"', (_, example, right) => {
  const [found] = textsOf('example.tsx', `const text = <p title="${example}">{\`${example}\`}</p>;`);
  expect(rightFormFor(found!.text)).toBe(right);
});

it('finds a count that stands before a plural alone', () => {
  const [found] = textsOf('example.ts', 'const text = `${total} alunos cadastrados`;');
  expect(rightFormFor(found!.text)).toBe('1 aluno cadastrado, by plural()');
});

it('no text of the product has a wrong form', () => {
  const places = [
    'backend',
    'frontend/src',
    'frontend/worker',
    'infra/start',
    'infra/docker',
    'infra/ops',
    'infra/demo',
  ];
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...places], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(tsx?|m?js)$/.test(file) && !/\.spec\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.flatMap((file) =>
    textsOf(file, readFileSync(file, 'utf8')).flatMap(({ line, text }) => {
      const right = rightFormFor(text);
      return right ? [`${file}:${line} "${text}": say ${right}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});
