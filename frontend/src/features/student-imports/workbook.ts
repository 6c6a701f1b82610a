import { Inflate, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/browser';
import { TooLarge } from './unreadable-file.js';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;

const LARGEST_UNPACKED = 60_000_000;
/** Unpacks at most a thousand times as many bytes before they are counted. */
const UNPACKED_AT_ONCE = 16_384;
/** Cells of the area that a sheet says it has, also empty ones, which are filled in. */
const MOST_CELLS = 20_000_000;

interface Entry {
  name: string;
  method: number;
  packed: Uint8Array;
  declaredSize: number;
}

/** The cells of a workbook's first sheet. @throws TooLarge if that needs too much memory, and other errors if it is damaged */
export async function firstSheet(bytes: Uint8Array): Promise<unknown[][]> {
  // The library would unpack larger parts in threads of its own, without a bound; it takes stored ones as they are.
  const zip = zipSync(xmlParts(bytes), { level: 0 });
  return readSheet(new Blob([zip]));
}

/** Unpacks the XML parts. Their declared sizes may be wrong, so the bytes are counted too. */
function xmlParts(bytes: Uint8Array): Record<string, Uint8Array> {
  const entries = directoryOf(bytes).filter(({ name }) => /\.xml(\.rels)?$/.test(name));
  if (entries.reduce((sum, { declaredSize }) => sum + declaredSize, 0) > LARGEST_UNPACKED)
    throw new TooLarge();
  const parts: Record<string, Uint8Array> = {};
  let left = LARGEST_UNPACKED;
  for (const { name, method, packed } of entries) {
    const part = method === STORED ? packed : method === DEFLATED ? inflated(packed, left) : null;
    if (!part) throw new Error(`unknown compression ${method}`);
    left -= part.length;
    if (left < 0) throw new TooLarge();
    checkArea(part);
    parts[name] = part;
  }
  return parts;
}

function directoryOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT);
  let end = bytes.length - END_BYTES;
  while (end >= first && view.getUint32(end, true) !== END) end -= 1;
  if (end < first) throw new Error('no directory');
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error('damaged directory');
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const from = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)),
      method: view.getUint16(at + 10, true),
      packed: bytes.subarray(from, from + view.getUint32(at + 20, true)),
      declaredSize: view.getUint32(at + 24, true),
    });
    at += ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function inflated(packed: Uint8Array, most: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate((chunk) => {
    size += chunk.length;
    if (size > most) throw new TooLarge();
    chunks.push(chunk);
  });
  for (let at = 0; at < packed.length; at += UNPACKED_AT_ONCE)
    inflate.push(packed.subarray(at, at + UNPACKED_AT_ONCE), at + UNPACKED_AT_ONCE >= packed.length);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Refuses a sheet whose few cells are so far apart that the empty ones between them need too much memory. */
function checkArea(part: Uint8Array): void {
  const xml = new TextDecoder().decode(part);
  if (!xml.includes('sheetData')) return;
  let rows = 0;
  let columns = 1;
  for (const [, quoted] of xml.matchAll(/(?<![\w:.-])r\s*=\s*("[^"]*"|'[^']*')/g)) {
    const [, letters = '', row] = /^([A-Z]{0,3})(\d{1,15})$/.exec(quoted!.slice(1, -1)) ?? [];
    if (!row) throw new Error('damaged position of a cell');
    rows = Math.max(rows, Number(row));
    columns = Math.max(
      columns,
      [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
    );
  }
  if (rows * columns > MOST_CELLS) throw new TooLarge();
}
