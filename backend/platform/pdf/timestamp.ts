import { createHash, randomBytes } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Certificate,
  ContentInfo,
  ExtKeyUsage,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;

export interface Timestamp {
  token: ContentInfo;
  /** The time that the server certifies. */
  at: Date;
}

/**
 * Requests a time stamp for these bytes from an RFC 3161 server.
 * @throws if the server does not answer, or its token is not valid for them
 */
export async function timestampOf(url: string, stamped: Buffer): Promise<Timestamp> {
  // Neither negative nor with leading zero bytes, because it has to come back as it was sent.
  const nonce = randomBytes(8);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
      hashedMessage: new OctetString({ valueHex: sha256(stamped) }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query' },
    body: request.toSchema().toBER(),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the time stamp server answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength > MOST_BYTES) throw new Error('the time stamp is too large');
  const { status, timeStampToken: token } = TimeStampResp.fromBER(bytes);
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !token) throw new Error(`the time stamp was refused: ${status.status}`);
  return { token, at: await checked(token, stamped, nonce) };
}

/** The time in a stored token, as DER. @throws if the token is not valid for these bytes */
export const timeStamped = async (token: Buffer, stamped: Buffer): Promise<Date> =>
  checked(ContentInfo.fromBER(token), stamped);

/**
 * The time in a token. Checks that the token is for these bytes (and this request, if a nonce is given), and that it is signed by an enclosed certificate for
 * time stamps that was valid at that time. Readers of the file decide whether to trust its issuer.
 * @throws if a check fails
 */
async function checked(
  { contentType, content }: ContentInfo,
  stamped: Buffer,
  nonce?: Buffer,
): Promise<Date> {
  if (contentType !== ContentInfo.SIGNED_DATA) throw new Error('the time stamp is not signed');
  const signed = new SignedData({ schema: content });
  const { eContent, eContentType } = signed.encapContentInfo;
  if (!eContent || eContentType !== TST_INFO) throw new Error('the time stamp is empty');
  const { messageImprint, nonce: answered, genTime } = TSTInfo.fromBER(eContent.getValue());
  const isOfHash =
    messageImprint.hashAlgorithm.algorithmId === SHA_256 &&
    Buffer.from(messageImprint.hashedMessage.valueBlock.valueHexView).equals(sha256(stamped));
  const isOfRequest = !nonce || (answered && Buffer.from(answered.valueBlock.valueHexView).equals(nonce));
  if (!isOfHash || !isOfRequest) throw new Error('the time stamp is for something else');
  const { signatureVerified, signerCertificate } = await signed.verify({
    signer: 0,
    data: new Uint8Array(stamped).buffer,
    extendedMode: true,
  });
  if (!signatureVerified || !signerCertificate) throw new Error('the time stamp is not signed by its server');
  if (!isForTimeStamps(signerCertificate)) throw new Error('the certificate is not one for time stamps');
  const { notBefore, notAfter } = signerCertificate;
  if (genTime < notBefore.value || genTime > notAfter.value)
    throw new Error('the certificate of the time stamp was not in force');
  return genTime;
}

/** The certificate may be used for nothing else (RFC 3161). */
function isForTimeStamps({ extensions = [] }: Certificate): boolean {
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  if (!usage?.critical || !(usage.parsedValue instanceof ExtKeyUsage)) return false;
  const { keyPurposes } = usage.parsedValue;
  return keyPurposes.length === 1 && keyPurposes[0] === TIME_STAMPING;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
