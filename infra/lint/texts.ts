import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

export interface Text {
  file: string;
  line: number;
  text: string;
}

/** Every text of the product's own source, tests left aside. */
export function productTexts(): Text[] {
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
  return files.flatMap((file) => textsOf(file, readFileSync(file, 'utf8')));
}

/** The string literals, templates and JSX texts of a file; `${}` stands for what is filled in. */
export function textsOf(file: string, source: string): Text[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (text)
      texts.push({ file, line: parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1, text });
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
