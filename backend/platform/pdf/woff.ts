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
export function sfntOf(woff: Buffer): Buffer {
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
