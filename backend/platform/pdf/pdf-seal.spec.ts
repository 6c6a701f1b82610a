import { createHash, createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ContentInfo, SignedData, TSTInfo } from 'pkijs';
import { type Flaws, TIME_STAMPING, timeStampServer } from '../../../test/support/time-stamp-server.js';
import { certificatesOf, newCertificate, openCertificate, type PdfCertificate } from './certificate.js';
import { Clock } from '../clock.js';
import { Config } from '../config/env.js';
import { signDetached } from './detached-signature.js';
import { writePdf } from './pdf.js';
import { PdfSeals, type Stamp } from './pdf-seals.service.js';
import { sealPdf, SIGNATURE_BYTES } from './sealed-pdf.js';
import { timestampOf } from './timestamp.js';

const now = new Date('2026-11-22T12:00:00Z');
const SIGNATURE = /\/Contents <([\da-f]+)>/;
const TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
let certificate: PdfCertificate;
let pdfCertificate: Config['pdfCertificate'];
let server: Awaited<ReturnType<typeof timeStampServer>>;

beforeAll(async () => {
  const made = await newCertificate('rende.app', now);
  certificate = await openCertificate([made.certificate], made.privateKey);
  const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' });
  pdfCertificate = {
    certificate: new X509Certificate(made.certificate).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
  server = await timeStampServer(now);
});

const info = {
  title: 'Contrato',
  author: 'Ana',
  footer: 'Rende',
  createdAt: now,
  keywords: 'Rende AAAA',
  signature: { name: 'Rende', reason: 'Cópia assinada', at: now },
};
const write = () => writePdf(info, (sheet) => sheet.paragraph('Cláusula única.'));

/** Whether the signature covers everything else in the file, and was made with this certificate. */
async function isIntact(file: Buffer): Promise<boolean> {
  const found = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(file.toString('latin1'));
  if (!found) return false;
  const [, ...range] = found.map(Number);
  const [start, length, rest, restLength] = range as [number, number, number, number];
  if (start !== 0 || rest + restLength !== file.length) return false;
  const content = Buffer.concat([file.subarray(0, length), file.subarray(rest)]);
  // The changed byte may precede the signature itself.
  if (!SIGNATURE.test(file.toString('latin1'))) return false;
  const signed = signedIn(file);
  const [own] = certificate.chain;
  if (!Buffer.from(own!.toSchema().toBER()).equals(Buffer.from(signed.certificates![0]!.toSchema().toBER())))
    return false;
  return signed.verify({ signer: 0, data: new Uint8Array(content).buffer }).catch(() => false);
}

function signedIn(file: Buffer): SignedData {
  const hex = SIGNATURE.exec(file.toString('latin1'))![1]!;
  return new SignedData({ schema: ContentInfo.fromBER(Buffer.from(hex, 'hex')).content });
}

describe('a sealed file', () => {
  it('has a valid signature, which changing any byte invalidates', async () => {
    const file = await sealPdf(await write(), (content) => signDetached(content, certificate));
    expect(await isIntact(file)).toBe(true);
    const range = file.indexOf('/ByteRange');
    const contents = file.indexOf('/Contents <');
    // In the middle of each object, and at both ends; not in the signature, which is not signed itself.
    for (const at of [0, 9, 400, range - 5, contents - 1, file.length - 200, file.length - 2]) {
      const changed = Buffer.from(file);
      changed[at]! ^= 1;
      expect([at, await isIntact(changed)]).toEqual([at, false]);
    }
    const [own] = signedIn(file).certificates as unknown as {
      toSchema: () => { toBER: () => ArrayBuffer };
    }[];
    const shown = new X509Certificate(Buffer.from(own!.toSchema().toBER()));
    expect(shown.subject).toContain('Rende rende.app');
    expect(shown.verify(shown.publicKey)).toBe(true);
  });

  it('is signed with an RSA certificate too', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const der = privateKey.export({ type: 'pkcs8', format: 'der' });
    // The algorithm is chosen by the certificate's key type.
    const pem = certificate.chain.map((each) =>
      new X509Certificate(Buffer.from(each.toSchema().toBER())).toString(),
    );
    expect(certificatesOf(pem.join('\n'))).toHaveLength(1);
    await expect(openCertificate(certificatesOf(pem[0]!), der)).rejects.toThrow();
  });

  it('is refused if the signature is too long for its room', async () => {
    const { signature: _signature, ...without } = info;
    const file = await writePdf(without, (sheet) => sheet.paragraph('a'));
    await expect(sealPdf(file, () => Promise.resolve(Buffer.alloc(1)))).rejects.toThrow('no room');
    const tooLong = () => Promise.resolve(Buffer.alloc(SIGNATURE_BYTES + 1));
    await expect(sealPdf(await write(), tooLong)).rejects.toThrow('too long');
  });
});

describe('a time stamp', () => {
  beforeEach(() => void (server.flaws = {}));

  it('is made for the signature', async () => {
    let said: Date | undefined;
    const file = await sealPdf(await write(), (content) =>
      signDetached(content, certificate, async (signature) => {
        const { token, at } = await timestampOf(server.url, signature);
        said = at;
        return token;
      }),
    );
    expect([await isIntact(file), said]).toEqual([true, now]);
    const [signer] = signedIn(file).signerInfos;
    const attribute = signer!.unsignedAttrs!.attributes.find(({ type }) => type === TIME_STAMP)!;
    const token = new ContentInfo({ schema: attribute.values[0] });
    const inside = new SignedData({ schema: token.content }).encapContentInfo.eContent!;
    const { messageImprint, genTime } = TSTInfo.fromBER(inside.getValue());
    const signature = Buffer.from(signer!.signature.valueBlock.valueHexView);
    expect(Buffer.from(messageImprint.hashedMessage.valueBlock.valueHexView)).toEqual(
      createHash('sha256').update(signature).digest(),
    );
    expect(genTime).toEqual(now);
  });

  const refused: [about: string, flaws: Flaws, why: string][] = [
    ['another hash', { imprint: Buffer.alloc(32, 7) }, 'for something else'],
    ['another kind of hash', { imprintAlgorithm: '2.16.840.1.101.3.4.2.2' }, 'for something else'],
    ['another question', { nonce: Buffer.alloc(8, 7) }, 'for something else'],
    ['no question', { nonce: null }, 'for something else'],
    ['what was changed after it was signed', { altered: true }, "Message digest doesn't match"],
    ["a key that is not its certificate's", { otherKey: true }, 'not signed by its server'],
    ['a certificate that is for nothing', { purposes: null }, 'not one for time stamps'],
    ['one for mails', { purposes: ['1.3.6.1.5.5.7.3.4'] }, 'not one for time stamps'],
    ['one for more', { purposes: [TIME_STAMPING, '1.3.6.1.5.5.7.3.1'] }, 'not one for time stamps'],
    ['one whose purpose may be overlooked', { isCritical: false }, 'not one for time stamps'],
    ['one that was over', { notAfter: new Date('2026-11-21T00:00:00Z') }, 'was not in force'],
    ['bytes', { bytes: Buffer.from('garbage') }, ''],
    ['an empty answer', { bytes: Buffer.alloc(0) }, ''],
    ['an error', { status: 503 }, 'answered 503'],
  ];
  it.each(refused)('for %s is refused', async (_about, flaws, why) => {
    server.flaws = flaws;
    await expect(timestampOf(server.url, Buffer.from('a'))).rejects.toThrow(why);
  });

  describe('of a signed copy', () => {
    const sealedWith = async (timestampUrl: string | undefined, mayGoWithout = false) => {
      const config = Object.assign(new Config(), {
        pdfCertificate,
        timestampUrl,
        masterKey: Buffer.alloc(32),
      });
      const said: Stamp[] = [];
      // With a configured certificate the database is not read.
      const seals = new PdfSeals(config, undefined as never, new Clock());
      const { file, stampedAt } = await seals.seal((stamp) => {
        said.push(stamp);
        return write();
      }, mayGoWithout);
      const stamped = !!signedIn(file).signerInfos[0]!.unsignedAttrs;
      return { said, isIntact: await isIntact(file), stamped, stampedAt };
    };
    const away = 'http://127.0.0.1:1/';
    beforeAll(() => Logger.overrideLogger(false));

    it('is included, and the file says so', async () => {
      expect(await sealedWith(server.url)).toEqual({
        said: ['present'],
        isIntact: true,
        stamped: true,
        stampedAt: now,
      });
      expect(await sealedWith(undefined)).toEqual({
        said: ['none'],
        isIntact: true,
        stamped: false,
        stampedAt: null,
      });
    });

    it('is required; only a file that may do without is written without one, and says so', async () => {
      await expect(sealedWith(away)).rejects.toThrow();
      const without = { said: ['present', 'missing'], isIntact: true, stamped: false, stampedAt: null };
      expect(await sealedWith(away, true)).toEqual(without);
      for (const flaws of [{ imprint: Buffer.alloc(32, 7) }, { otherKey: true }]) {
        server.flaws = flaws;
        await expect(sealedWith(server.url)).rejects.toThrow();
        expect(await sealedWith(server.url, true)).toEqual(without);
      }
    });
  });
});
