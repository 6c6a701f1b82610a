import { randomBytes, X509Certificate } from 'node:crypto';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import { addDays } from 'date-fns';
import { AttributeTypeAndValue, Certificate, Extension, GeneralName, GeneralNames, Time } from 'pkijs';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const ALT_NAME = '2.5.29.17';
const KEY_USAGE = '2.5.29.15';
const IP_ADDRESS = 7;

/** A self-signed certificate for a loopback address, for servers and clients, with its key: both as PEM. */
export async function localCertificate(lastByte = 1): Promise<{ cert: string; key: string }> {
  const keys = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  const serial = randomBytes(16);
  // Neither negative nor with a leading zero, which is no valid encoding.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array(serial).buffer });
  const value = new Utf8String({ value: `test ${serial.toString('hex')}` });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(new AttributeTypeAndValue({ type: '2.5.4.3', value }));
  const now = new Date();
  certificate.notBefore = new Time({ type: 0, value: addDays(now, -1) });
  certificate.notAfter = new Time({ type: 0, value: addDays(now, 2) });
  const address = new OctetString({ valueHex: new Uint8Array([127, 0, 0, lastByte]).buffer });
  const names = new GeneralNames({ names: [new GeneralName({ type: IP_ADDRESS, value: address })] });
  const usage = new BitString({ valueHex: new Uint8Array([0b1000_0100]).buffer, unusedBits: 2 });
  certificate.extensions = [
    new Extension({ extnID: ALT_NAME, extnValue: names.toSchema().toBER() }),
    new Extension({ extnID: KEY_USAGE, extnValue: usage.toBER() }),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString(),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
