import { createHash, type webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BitString, Integer, ObjectIdentifier, OctetString, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  ExtKeyUsage,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatus,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  Time,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { atEnd } from './cleanup.js';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const SHA_256 = '2.16.840.1.101.3.4.2.1';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const newKeys = () => crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);

/** Faults of the next answers. */
export interface Flaws {
  /** Hash in the answer, instead of the requested one. */
  imprint?: Buffer;
  imprintAlgorithm?: string;
  nonce?: Buffer | null;
  /** Extended key usage of its certificate, instead of only time stamping; null: none. */
  purposes?: string[] | null;
  isCritical?: boolean;
  /** Last day of its certificate. */
  notAfter?: Date;
  /** Signs with another key than the certificate's. */
  otherKey?: boolean;
  /** Changes the token after signing. */
  altered?: boolean;
  /** Bytes instead of an answer. */
  bytes?: Buffer;
  status?: number;
}

/** A small time stamp server (RFC 3161), with its own certificate, that always returns the time `now`. */
export async function timeStampServer(now: Date) {
  const [keys, others] = await Promise.all([newKeys(), newKeys()]);
  const server = {
    url: '',
    flaws: {} as Flaws,
    /** Number of requests. */
    asked: 0,
  };
  const listening = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      server.asked += 1;
      const { bytes, status = 200 } = server.flaws;
      const answer = bytes ? Promise.resolve(bytes) : answerTo(Buffer.concat(chunks), server.flaws);
      void answer.then((body) =>
        response.writeHead(status, { 'Content-Type': 'application/timestamp-reply' }).end(body),
      );
    });
  });
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  atEnd(() => new Promise<void>((done) => void listening.close(() => done())));
  server.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
  return server;

  async function answerTo(bytes: Buffer, flaws: Flaws): Promise<Buffer> {
    const { messageImprint, nonce: asked } = TimeStampReq.fromBER(bytes);
    const { imprint, imprintAlgorithm = SHA_256 } = flaws;
    const nonce =
      flaws.nonce === undefined
        ? asked
        : flaws.nonce && new Integer({ valueHex: new Uint8Array(flaws.nonce) });
    const info = new TSTInfo({
      version: 1,
      policy: '1.2.3.4',
      messageImprint:
        imprint || flaws.imprintAlgorithm
          ? new MessageImprint({
              hashAlgorithm: new AlgorithmIdentifier({ algorithmId: imprintAlgorithm }),
              hashedMessage: imprint ? new OctetString({ valueHex: imprint }) : messageImprint.hashedMessage,
            })
          : messageImprint,
      serialNumber: new Integer({ value: 1 }),
      genTime: now,
      ...(nonce && { nonce }),
    });
    const content = Buffer.from(info.toSchema().toBER());
    const own = await certificateOf(keys, now, flaws);
    const { issuer, serialNumber } = own;
    const attribute = (type: string, value: ObjectIdentifier | OctetString) =>
      new Attribute({ type, values: [value] });
    const digest = createHash('sha256').update(content).digest();
    const signed = new SignedData({
      version: 3,
      encapContentInfo: new EncapsulatedContentInfo({ eContentType: TST_INFO }),
      signerInfos: [
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
          signedAttrs: new SignedAndUnsignedAttributes({
            type: 0,
            attributes: [
              attribute('1.2.840.113549.1.9.3', new ObjectIdentifier({ value: TST_INFO })),
              attribute('1.2.840.113549.1.9.4', new OctetString({ valueHex: digest })),
            ],
          }),
        }),
      ],
      certificates: [own],
    });
    // In one piece, as real servers send it.
    signed.encapContentInfo.eContent = new OctetString({ valueHex: content });
    await signed.sign((flaws.otherKey ? others : keys).privateKey, 0, 'SHA-256');
    if (flaws.altered) {
      const later = new TSTInfo({ schema: info.toSchema() });
      later.genTime = new Date(now.getTime() + 3_600_000);
      signed.encapContentInfo.eContent = new OctetString({ valueHex: later.toSchema().toBER() });
    }
    const timeStampToken = new ContentInfo({
      contentType: ContentInfo.SIGNED_DATA,
      content: signed.toSchema(true),
    });
    const status = new PKIStatusInfo({ status: PKIStatus.granted });
    return Buffer.from(new TimeStampResp({ status, timeStampToken }).toSchema().toBER());
  }
}

async function certificateOf(keys: webcrypto.CryptoKeyPair, now: Date, flaws: Flaws): Promise<Certificate> {
  const { purposes = [TIME_STAMPING], isCritical: critical = true, notAfter } = flaws;
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: 7 });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: 'Time stamps' }) }),
    );
  certificate.notBefore = new Time({ type: 0, value: new Date('2026-01-01T00:00:00Z') });
  certificate.notAfter = new Time({ type: 0, value: notAfter ?? new Date(now.getTime() + 86_400_000) });
  const usage = new BitString({ valueHex: new Uint8Array([0b1100_0000]).buffer, unusedBits: 6 });
  certificate.extensions = [
    new Extension({ extnID: '2.5.29.15', critical: true, extnValue: usage.toBER() }),
    ...(purposes
      ? [
          new Extension({
            extnID: '2.5.29.37',
            critical,
            extnValue: new ExtKeyUsage({ keyPurposes: purposes }).toSchema().toBER(),
          }),
        ]
      : []),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  return certificate;
}
