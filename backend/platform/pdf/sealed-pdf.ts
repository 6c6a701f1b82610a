/** Bytes that are reserved for a signature. With certificates and a time stamp it needs half of them. */
export const SIGNATURE_BYTES = 12_000;

/** Placeholder for the four numbers that say which bytes of the file are signed. */
export const SIGNED_RANGE = [0, 9_999_999_999, 9_999_999_999, 9_999_999_999];
const PLACEHOLDER = `/ByteRange [${SIGNED_RANGE.join(' ')}]`;

/**
 * Signs everything but the signature itself, in a file that was written with room for it.
 * @throws if the signature does not fit
 */
export async function sealPdf(file: Buffer, sign: (signed: Buffer) => Promise<Buffer>): Promise<Buffer> {
  const range = file.indexOf(PLACEHOLDER);
  const from = file.indexOf(`<${'00'.repeat(SIGNATURE_BYTES)}>`);
  if (range < 0 || from < 0) throw new Error('the file has no room for a signature');
  const to = from + 2 * SIGNATURE_BYTES + 2;
  const sealed = Buffer.from(file);
  const numbers = `/ByteRange [0 ${from} ${to} ${file.length - to}]`;
  sealed.write(numbers.padEnd(PLACEHOLDER.length), range, 'latin1');
  const signature = await sign(Buffer.concat([sealed.subarray(0, from), sealed.subarray(to)]));
  if (signature.length > SIGNATURE_BYTES) throw new Error('the signature is too long');
  sealed.write(signature.toString('hex'), from + 1, 'latin1');
  return sealed;
}
