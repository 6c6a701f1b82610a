import { createHash } from 'node:crypto';
import { ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { PdfCertificate } from './certificate.js';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
const SIGNED_ATTRIBUTES = 0;
const UNSIGNED_ATTRIBUTES = 1;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * A detached CMS signature (CAdES, as PAdES baseline requires), as DER. `timestamp` returns the token of a time stamp
 * for the signature.
 */
export async function signDetached(
  content: Buffer,
  { chain, key }: PdfCertificate,
  timestamp?: (signature: Buffer) => Promise<ContentInfo>,
): Promise<Buffer> {
  const [own] = chain;
  if (!own) throw new Error('there is no certificate to sign with');
  const { issuer, serialNumber } = own;
  const attribute = (type: string, ...values: (ObjectIdentifier | OctetString | Sequence)[]) =>
    new Attribute({ type, values });
  // ESSCertIDv2 with SHA-256, which is its default and therefore left out.
  const hash = sha256(Buffer.from(own.toSchema().toBER()));
  const certificateId = new Sequence({ value: [new OctetString({ valueHex: hash })] });
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    signedAttrs: new SignedAndUnsignedAttributes({
      type: SIGNED_ATTRIBUTES,
      attributes: [
        attribute(CONTENT_TYPE, new ObjectIdentifier({ value: ContentInfo.DATA })),
        attribute(MESSAGE_DIGEST, new OctetString({ valueHex: sha256(content) })),
        attribute(
          SIGNING_CERTIFICATE_V2,
          new Sequence({ value: [new Sequence({ value: [certificateId] })] }),
        ),
      ],
    }),
  });
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
    signerInfos: [signer],
    certificates: [...chain],
  });
  await signed.sign(key, 0, 'SHA-256', content);
  if (timestamp) {
    const token = await timestamp(Buffer.from(signer.signature.valueBlock.valueHexView));
    signer.unsignedAttrs = new SignedAndUnsignedAttributes({
      type: UNSIGNED_ATTRIBUTES,
      attributes: [new Attribute({ type: SIGNATURE_TIME_STAMP, values: [token.toSchema()] })],
    });
  }
  const info = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) });
  return Buffer.from(info.toSchema().toBER());
}
