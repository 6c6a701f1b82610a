import { Parser } from 'htmlparser2';
import type { Run } from '../../platform/pdf/pdf.js';

/** A heading, a paragraph or an item of a list, in the order of the text. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'item';
  /** For a heading, 1 to 3; for a list item, how deep its list is nested. */
  level: number;
  /** For a list item, a bullet or its number; empty for the item's further paragraphs. */
  marker: string;
  runs: Run[];
}

/** The blocks of a contract's sanitised HTML, for the PDF. Links show their address. */
export function blocksOf(html: string): Block[] {
  const blocks: Block[] = [];
  /** The lists that enclose the current text: `count` is 0 for bullets, otherwise the number of the last item. */
  const lists: { ordered: boolean; count: number }[] = [];
  const links: string[] = [];
  let [bold, italic] = [0, 0];
  let current: Block | undefined;
  let pendingMarker = '';

  const begin = (kind: Block['kind'], level: number) => {
    current = { kind, level, marker: pendingMarker, runs: [] };
    pendingMarker = '';
    blocks.push(current);
  };
  const beginText = () => (lists.length > 0 ? begin('item', lists.length) : begin('paragraph', 0));
  const write = (text: string) => {
    if (!current) {
      if (text.trim() === '') return;
      beginText();
    }
    current!.runs.push({ text, bold: bold > 0, italic: italic > 0, underline: links.length > 0 });
  };
  const parser = new Parser(
    {
      onopentag(name, { href = '' }) {
        if (/^h[1-3]$/.test(name)) begin('heading', Number(name[1]));
        else if (name === 'p') beginText();
        else if (name === 'ul' || name === 'ol') lists.push({ ordered: name === 'ol', count: 0 });
        else if (name === 'li') {
          const list = lists.at(-1);
          if (list) list.count += 1;
          pendingMarker = list?.ordered ? `${list.count}.` : '•';
          current = undefined;
        } else if (name === 'strong') bold += 1;
        else if (name === 'em') italic += 1;
        else if (name === 'br') write('\n');
        else if (name === 'a') links.push(href);
      },
      ontext: write,
      onclosetag(name) {
        if (name === 'strong') bold -= 1;
        else if (name === 'em') italic -= 1;
        else if (name === 'a') {
          const href = links.pop() ?? '';
          const shown = current?.runs.at(-1)?.text ?? '';
          const address = href.replace(/^mailto:/, '');
          if (address && !shown.includes(address)) write(` (${address})`);
        } else if (name === 'ul' || name === 'ol') {
          lists.pop();
          current = undefined;
        } else if (name === 'p' || name === 'li' || /^h[1-3]$/.test(name)) current = undefined;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return blocks.filter(({ runs }) => runs.some(({ text }) => text.trim() !== ''));
}
