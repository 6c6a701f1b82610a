import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type PDFKit from 'pdfkit';
import { isLatin, partsOf, type Script, scripts } from './scripts.js';
import { sfntOf } from './woff.js';

const WEIGHTS = { text: 400, bold: 600 } as const;
type Weight = keyof typeof WEIGHTS;

export interface ScriptFont {
  weight: Weight;
  script: Script;
  sfnt: Buffer;
}

/** The embedded font comes in one file for each script. */
export function readFonts(): Promise<ScriptFont[]> {
  const weights = Object.keys(WEIGHTS) as Weight[];
  return Promise.all(
    weights.flatMap((weight) =>
      scripts.map(async (script) => {
        const file = `node_modules/@fontsource/geist/files/geist-${script}-${WEIGHTS[weight]}-normal.woff`;
        return { weight, script, sfnt: sfntOf(await readFile(resolve(file))) };
      }),
    ),
  );
}

interface LineOptions {
  align?: string;
  lineWidth?: number;
  textWidth?: number | undefined;
  wordCount?: number | undefined;
}

/** The methods of a document that measure and write one line of text. */
interface Writing {
  _font: unknown;
  font(name: string): unknown;
  widthOfString(text: string, options?: object): number;
  _fragment(text: string, x: number, y: number, options: LineOptions): void;
}

/** Makes a document write each letter with the font file that contains it: `font('text')` and `font('bold')` select the files of all scripts. */
export function useScripts(doc: PDFKit.PDFDocument, fonts: readonly ScriptFont[]): void {
  for (const { weight, script, sfnt } of fonts) doc.registerFont(`${weight} ${script}`, sfnt);
  const writing = doc as unknown as Writing;
  // The original methods of the library, which write with one font file.
  const font = writing.font.bind(writing);
  const width = writing.widthOfString.bind(writing);
  const fragment = writing._fragment.bind(writing);
  let current = 'text';
  const use = (script: Script) => font(`${current} ${script}`);
  const inParts = (text: string, each: (part: string) => void) => {
    const before = writing._font;
    for (const part of partsOf(text)) {
      use(part.script);
      each(part.text);
    }
    writing._font = before;
  };
  writing.font = (name) => {
    current = name;
    use('latin');
    return doc;
  };
  writing.widthOfString = (text, options) => {
    if (isLatin(text)) return width(text, options);
    let sum = 0;
    inParts(text, (part) => (sum += width(part, options)));
    return sum;
  };
  writing._fragment = (text, x, y, options) => {
    const line = text.replaceAll('\n', '');
    if (isLatin(line)) {
      fragment(line, x, y, options);
      return;
    }
    const { align, lineWidth = 0, ...others } = options;
    const whole = writing.widthOfString(line.trimEnd(), options);
    const room = lineWidth - whole;
    let at = x + (align === 'right' ? room : align === 'center' ? room / 2 : 0);
    inParts(line, (part) => {
      fragment(part, at, y, { ...others, textWidth: undefined, wordCount: undefined });
      at += width(part, options);
    });
  };
}
