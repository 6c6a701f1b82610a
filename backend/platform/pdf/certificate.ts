import { type webcrypto, X509Certificate } from 'node:crypto';
import { BitString, Integer, Utf8String } from 'asn1js';
import { addYears } from 'date-fns';
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension, Time } from 'pkijs';

/** The certificate and private key that sign a file. */
export interface PdfCertificate {
  /** The signer's own certificate first, then its issuers. */
  readonly chain: readonly Certificate[];
  readonly key: webcrypto.CryptoKey;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** UTCTime, which certificates use for dates until 2049. */
const UTC_TIME = 0;
const YEARS = 20;
const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
/** digitalSignature and nonRepudiation. */
const SIGNS = 0b1100_0000;

/** A self-signed certificate, as DER, with its key as PKCS#8. */
export async function newCertificate(
  host: string,
  now: Date,
): Promise<{ certificate: Buffer; privateKey: Buffer }> {
  const keys = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  const serial = crypto.getRandomValues(new Uint8Array(16));
  // Neither negative nor with a leading zero byte, which would be an invalid encoding.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  certificate.serialNumber = new Integer({ valueHex: serial.buffer });
  const commonName = new Utf8String({ value: `Rende ${host}` });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value: commonName }));
  // Times in DER have no fractions of seconds.
  const from = new Date(Math.floor(now.getTime() / 1000) * 1000);
  certificate.notBefore = new Time({ type: UTC_TIME, value: from });
  certificate.notAfter = new Time({ type: UTC_TIME, value: addYears(from, YEARS) });
  const usage = new BitString({ valueHex: new Uint8Array([SIGNS]).buffer, unusedBits: 6 });
  const constraints = new BasicConstraints({ cA: false });
  certificate.extensions = [
    new Extension({ extnID: BASIC_CONSTRAINTS, critical: true, extnValue: constraints.toSchema().toBER() }),
    new Extension({ extnID: KEY_USAGE, critical: true, extnValue: usage.toBER() }),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  return {
    certificate: Buffer.from(certificate.toSchema(true).toBER()),
    privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
  };
}

/**
 * @param certificates DER, the signer's own first
 * @param privateKey PKCS#8 of an EC key on P-256 or of an RSA key
 */
export async function openCertificate(
  certificates: readonly Buffer[],
  privateKey: Buffer,
): Promise<PdfCertificate> {
  const { asymmetricKeyType } = new X509Certificate(certificates[0]!).publicKey;
  const algorithm = asymmetricKeyType === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : CURVE;
  return {
    chain: certificates.map((der) => Certificate.fromBER(der)),
    key: await crypto.subtle.importKey('pkcs8', privateKey, algorithm, false, ['sign']),
  };
}

/** Each certificate of a PEM file, as DER. */
export function certificatesOf(pem: string): Buffer[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => Buffer.from(new X509Certificate(each).raw));
}
