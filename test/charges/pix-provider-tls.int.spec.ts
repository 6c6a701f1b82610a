import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import type { PixProviderShown } from '../../backend/modules/charges/pix-provider.api.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { startPixProvider } from '../support/pix-provider.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { randomBytes, X509Certificate } from 'node:crypto';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import { addDays } from 'date-fns';
import { AttributeTypeAndValue, Certificate, Extension, GeneralName, GeneralNames, Time } from 'pkijs';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const ALT_NAME = '2.5.29.17';
const KEY_USAGE = '2.5.29.15';
const IP_ADDRESS = 7;

/** A self-signed certificate for a loopback address, for servers and clients, with its key: both as PEM. */
async function localCertificate(lastByte = 1): Promise<{ cert: string; key: string }> {
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

let app: TestProcess | undefined;
/** The next application uses the same database and queues. */
afterEach(() => app?.end('SIGKILL'));

/** The server also trusts that certificate. */
async function startFor(origin: string, trusted: string) {
  const folder = await mkdtemp(join(tmpdir(), 'rende-ca-'));
  atEnd(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ca.pem'), trusted);
  app = await startProcess({ env: { PIX_TEST_ORIGIN: origin, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } });
  return app;
}

it('a provider that asks for a certificate accepts a connection with it, and others are reported as refused', async () => {
  const [own, client, other] = await Promise.all([
    localCertificate(),
    localCertificate(),
    localCertificate(),
  ]);
  const asksForOne = { ca: [client.cert], requestCert: true, rejectUnauthorized: true };
  // Before TLS 1.3 a client is refused while it connects, and not when it has begun to speak.
  const provider = await startPixProvider({ tls: { ...own, ...asksForOne, maxVersion: 'TLSv1.2' } });
  const { api } = await signUp(await startFor(provider.origin, own.cert));
  const { clientId: client_id, clientSecret: client_secret } = provider.account();
  const body = { url_api: provider.urlApi, url_token: provider.urlToken, client_id, client_secret };
  const shown = async () => (await api.get<PixProviderShown>('/settings/pix/provider')).body.conexao;
  const connect = (certificado: string | null, chave_privada: string | null, status?: number) =>
    api.put<{ code?: string }>(
      '/settings/pix/provider',
      { ...body, certificado, chave_privada },
      status === undefined ? {} : { status },
    );

  await connect(null, null);
  const refused =
    'no endereço do token, o servidor pede um certificado de cliente ou recusou o que foi informado';
  await eventually(async () => (await shown())?.falha, refused);
  expect((await connect(client.cert, other.key, 422)).body.code).toBe('pix_provider.wrong_certificate');
  await connect(client.cert, 'no key', 400);
  await connect(client.cert, client.key);
  await eventually(async () => {
    const { falha, testado_em } = (await shown())!;
    return [falha, testado_em !== null];
  }, [null, true]);
  expect(await shown()).toMatchObject({ com_certificado: true, testado_em: expect.any(String) });
});

it.each([
  ['of another name', 2, true],
  ['that nobody vouches for', 1, false],
])('nothing is sent to a provider with a certificate %s', async (_name, lastByte, isTrusted) => {
  const own = await localCertificate(lastByte);
  const provider = await startPixProvider({ tls: own });
  const { api } = await signUp(
    await startFor(provider.origin, isTrusted ? own.cert : (await localCertificate()).cert),
  );
  const { clientId: client_id, clientSecret: client_secret } = provider.account();
  const body = { url_api: provider.urlApi, url_token: provider.urlToken, client_id, client_secret };
  await api.put('/settings/pix/provider', { ...body, certificado: null, chave_privada: null });
  await eventually(
    async () => (await api.get<PixProviderShown>('/settings/pix/provider')).body.conexao?.falha,
    'no endereço do token, o certificado do servidor não é confiável',
  );
  expect(provider.tokensGiven).toBe(0);
});
