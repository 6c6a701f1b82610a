import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type PDFKit from 'pdfkit';
import { isLatin, partsOf, type Script, scripts } from './scripts.js';
import { inflateSync } from 'node:zlib';

const WOFF = 0x774f4646;
const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * The font inside a WOFF file, unpacked once, because the library would unpack its tables again for each file that it
 * writes.
 */
function sfntOf(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== WOFF) throw new Error('Not a WOFF file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = WOFF_HEADER + index * WOFF_ENTRY;
    const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const content = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      content: packed < size ? inflateSync(content) : content,
    };
  });
  const header = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  woff.copy(header, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  for (const [index, value] of [count, 16 * 2 ** power, power, 16 * count - 16 * 2 ** power].entries()) {
    header.writeUInt16BE(value, 4 + index * 2);
  }
  let offset = header.length;
  const contents = tables.map(({ tag, checksum, content }, index) => {
    const at = SFNT_HEADER + index * SFNT_ENTRY;
    tag.copy(header, at);
    for (const [field, value] of [checksum, offset, content.length].entries()) {
      header.writeUInt32BE(value, at + 4 + field * 4);
    }
    // Tables begin at multiples of four bytes.
    const padding = Buffer.alloc(-content.length & 3);
    offset += content.length + padding.length;
    return Buffer.concat([content, padding]);
  });
  return Buffer.concat([header, ...contents]);
}

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
