const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LONGEST_COMMENT = 0xffff;

/** The unpacked size of a zip's files in bytes, according to its directory; null if it is damaged. */
export function unpackedSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT);
  for (let end = bytes.length - END_BYTES; end >= first; end -= 1) {
    if (view.getUint32(end, true) !== END) continue;
    let total = 0;
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
      if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) return null;
      total += view.getUint32(at + 24, true);
      at +=
        ENTRY_BYTES +
        view.getUint16(at + 28, true) +
        view.getUint16(at + 30, true) +
        view.getUint16(at + 32, true);
    }
    return total;
  }
  return null;
}
