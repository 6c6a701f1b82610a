import { createHash, createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatus,
  PKIStatusInfo,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
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
let server: Server;
let url: string;
/** What the server answers for, instead of what it was asked. */
let answerFor: Buffer | undefined;

beforeAll(async () => {
  const made = await newCertificate('rende.app', now);
  certificate = await openCertificate([made.certificate], made.privateKey);
  const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' });
  pdfCertificate = {
    certificate: new X509Certificate(made.certificate).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void stamp(Buffer.concat(chunks)).then((answer) => response.end(answer));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

/** A small server of time stamps. */
async function stamp(bytes: Buffer): Promise<Buffer> {
  const { messageImprint, nonce } = TimeStampReq.fromBER(bytes);
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4',
    messageImprint: answerFor
      ? new MessageImprint({
          hashAlgorithm: new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1' }),
          hashedMessage: new OctetString({ valueHex: answerFor }),
        })
      : messageImprint,
    serialNumber: new Integer({ value: 1 }),
    genTime: now,
    ...(nonce && { nonce }),
  });
  const [own] = certificate.chain;
  const { issuer, serialNumber } = own!;
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: '1.2.840.113549.1.9.16.1.4',
      eContent: new OctetString({ valueHex: info.toSchema().toBER() }),
    }),
    signerInfos: [new SignerInfo({ version: 1, sid: new IssuerAndSerialNumber({ issuer, serialNumber }) })],
    certificates: [own!],
  });
  await signed.sign(certificate.key, 0, 'SHA-256');
  const timeStampToken = new ContentInfo({
    contentType: ContentInfo.SIGNED_DATA,
    content: signed.toSchema(true),
  });
  const status = new PKIStatusInfo({ status: PKIStatus.granted });
  return Buffer.from(new TimeStampResp({ status, timeStampToken }).toSchema().toBER());
}

const info = {
  ...{ title: 'Contrato', author: 'Ana', footer: 'Rende', createdAt: now, keywords: 'Rende AAAA' },
  signature: { name: 'Rende', reason: 'Cópia assinada', at: now },
};
const write = () => writePdf(info, (sheet) => sheet.paragraph('Cláusula única.'));

/** Whether the signature is that of everything else in the file, and made with this certificate. */
async function isIntact(file: Buffer): Promise<boolean> {
  const found = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(file.toString('latin1'));
  if (!found) return false;
  const [, ...range] = found.map(Number);
  const [start, length, rest, restLength] = range as [number, number, number, number];
  if (start !== 0 || rest + restLength !== file.length) return false;
  const content = Buffer.concat([file.subarray(0, length), file.subarray(rest)]);
  // The changed byte may stand before the signature itself.
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
  it('is intact, and no longer once a byte of it was changed', async () => {
    const file = await sealPdf(await write(), (content) => signDetached(content, certificate));
    expect(await isIntact(file)).toBe(true);
    const range = file.indexOf('/ByteRange');
    const contents = file.indexOf('/Contents <');
    // In the middle of each object, and at both ends; not in the signature, which is not signed.
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
    // The certificate of an RSA key says so: that is how the way to sign is chosen.
    const pem = certificate.chain.map((each) =>
      new X509Certificate(Buffer.from(each.toSchema().toBER())).toString(),
    );
    expect(certificatesOf(pem.join('\n'))).toHaveLength(1);
    await expect(openCertificate(certificatesOf(pem[0]!), der)).rejects.toThrow();
  });

  it('has room for its signature, or is refused', async () => {
    const { signature: _signature, ...without } = info;
    const file = await writePdf(without, (sheet) => sheet.paragraph('a'));
    await expect(sealPdf(file, () => Promise.resolve(Buffer.alloc(1)))).rejects.toThrow('no room');
    const tooLong = () => Promise.resolve(Buffer.alloc(SIGNATURE_BYTES + 1));
    await expect(sealPdf(await write(), tooLong)).rejects.toThrow('too long');
  });
});

describe('a time stamp', () => {
  const sealed = async () =>
    sealPdf(await write(), (content) => signDetached(content, certificate, (hash) => timestampOf(url, hash)));

  it('is that of the signature', async () => {
    answerFor = undefined;
    const file = await sealed();
    expect(await isIntact(file)).toBe(true);
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

  it('for something else is refused', async () => {
    answerFor = Buffer.alloc(32, 7);
    await expect(sealed()).rejects.toThrow('for something else');
  });

  describe('of a signed copy', () => {
    const sealedWith = async (timestampUrl: string | undefined, mayGoWithout = false) => {
      const config = Object.assign(new Config(), {
        pdfCertificate,
        timestampUrl,
        masterKey: Buffer.alloc(32),
      });
      const said: Stamp[] = [];
      // With a certificate that is given, no database is asked.
      const file = await new PdfSeals(config, undefined as never, new Clock()).seal((stamp) => {
        said.push(stamp);
        return write();
      }, mayGoWithout);
      return {
        said,
        isIntact: await isIntact(file),
        stamped: !!signedIn(file).signerInfos[0]!.unsignedAttrs,
      };
    };
    const away = 'http://127.0.0.1:1/';
    beforeAll(() => Logger.overrideLogger(false));

    it('is there, and the file says so', async () => {
      answerFor = undefined;
      expect(await sealedWith(url)).toEqual({ said: ['present'], isIntact: true, stamped: true });
      expect(await sealedWith(undefined)).toEqual({ said: ['none'], isIntact: true, stamped: false });
    });

    it('is waited for, until the file may go without: then it says that', async () => {
      await expect(sealedWith(away)).rejects.toThrow();
      expect(await sealedWith(away, true)).toEqual({
        ...{ said: ['present', 'missing'], isIntact: true, stamped: false },
      });
      answerFor = Buffer.alloc(32, 7);
      expect(await sealedWith(url, true)).toMatchObject({ said: ['present', 'missing'], stamped: false });
    });
  });
});
