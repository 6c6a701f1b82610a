import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

export interface Text {
  file: string;
  line: number;
  text: string;
}

const PAGES = ['frontend/index.html', 'frontend/public/manifest.webmanifest'];
/** Words that the advisor understands, including informal ones; none of them is shown. */
const UNDERSTOOD = 'backend/modules/advisor/lexicon.ts';

/** Every text in the product's source and pages, without tests. */
export function productTexts(): Text[] {
  const places = [
    'backend',
    'frontend/src',
    'frontend/booking',
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
    .filter((file) => /\.(tsx?|m?js)$/.test(file) && !/\.spec\.tsx?$/.test(file))
    .filter((file) => file !== UNDERSTOOD);
  return [
    ...files.flatMap((file) => textsOf(file, readFileSync(file, 'utf8'))),
    ...PAGES.flatMap((file) => textsOfPage(file, readFileSync(file, 'utf8'))),
  ];
}

/** The string literals of all tests, except those in this folder, which only list texts. */
export function testTexts(): Set<string> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  }).split('\n');
  const tests = files.filter((file) => /\.spec\.tsx?$/.test(file) && !file.startsWith('infra/lint/'));
  return new Set(tests.flatMap((file) => textsOf(file, readFileSync(file, 'utf8')).map(({ text }) => text)));
}

export function textsOfPage(file: string, source: string): Text[] {
  return source.split('\n').flatMap((row, index) => {
    const texts = [...row.matchAll(/(?:^|>)([^<>]+)(?:<|$)|"([^"]*)"/g)].map(([, between, quoted]) =>
      (between ?? quoted ?? '').trim(),
    );
    return texts.filter(Boolean).map((text) => ({ file, line: index + 1, text }));
  });
}

/**
 * The string literals, templates and JSX texts of a file, and the whole text of elements that contain values; `${}` stands
 * for each value.
 */
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
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return filledIn(node);
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('');
}

/** The text of an element; undefined unless it has both text and values. */
function filledIn(node: ts.JsxElement | ts.JsxFragment): string | undefined {
  const text = said(node);
  return node.children.some(ts.isJsxText) && text.includes('${}') ? text : undefined;
}

function said({ children }: ts.JsxElement | ts.JsxFragment): string {
  return children
    .map((child): string => {
      if (ts.isJsxText(child)) return child.containsOnlyTriviaWhiteSpaces ? '' : child.text;
      if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return said(child);
      if (!ts.isJsxExpression(child) || !child.expression) return '';
      return ts.isStringLiteralLike(child.expression) ? child.expression.text : '${}';
    })
    .join('');
}
