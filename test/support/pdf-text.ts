import { inflateSync } from 'node:zlib';

/** The text of a file of `writePdf`, as a PDF reader would copy it: by each font's table from glyphs to characters. */
export const textOf = (pdf: Buffer): string => pageTextsOf(pdf).join('');

/** The text of each page. */
export const pageTextsOf = (pdf: Buffer): string[] => pageLinesOf(pdf).map((lines) => lines.join(''));

/** The lines of each page, in the order in which they were written: a cell of a table has its own. */
export function pageLinesOf(pdf: Buffer): string[][] {
  const file = pdf.toString('latin1');
  const objects = new Map(
    Array.from(file.matchAll(/(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g), ([, id, body]) => [id!, body!]),
  );
  const streamOf = (body: string) => {
    const content = /stream\n([\s\S]*?)\nendstream/.exec(body)?.[1];
    return content === undefined ? '' : inflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  };
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  for (const [, name, id] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!) ?? '');
    if (map) fonts.set(name!, meanings(streamOf(objects.get(map[1]!)!)));
  }
  const pages: string[][] = [];
  for (const body of objects.values()) {
    if (!body.includes('/FlateDecode') || body.includes('/Length1')) continue;
    let font: ReadonlyMap<string, string> | undefined;
    const lines: string[] = [];
    for (const [, name, shown] of streamOf(body).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = fonts.get(name);
      else {
        const glyphs = Array.from(shown!.matchAll(/<([\da-f]+)>/gi), ([, hex]) => hex!.match(/.{4}/g) ?? []);
        lines.push(
          glyphs
            .flat()
            .map((glyph) => font?.get(glyph.toLowerCase()) ?? '')
            .join(''),
        );
      }
    }
    if (lines.some((line) => line !== '')) pages.push(lines);
  }
  return pages;
}

/** The characters of each glyph, from a table such as `<0000> <0002> [<0000> <0041> <0042>]`. */
function meanings(table: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, from, list] of table.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/gi))
    for (const [at, [, hex]] of Array.from(list!.matchAll(/<([\da-f ]*)>/gi)).entries()) {
      const glyph = (Number.parseInt(from!, 16) + at).toString(16).padStart(4, '0');
      const units = hex!.replaceAll(' ', '').match(/.{4}/g) ?? [];
      found.set(glyph, String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
    }
  return found;
}
