import { randomBytes } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  type ContentInfo,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;

/**
 * The token of a time stamp for a SHA-256, from a server of RFC 3161.
 * @throws where the server does not answer, or with a token for something else
 */
export async function timestampOf(url: string, hash: Buffer): Promise<ContentInfo> {
  const nonce = randomBytes(8);
  nonce[0]! &= 0x7f;
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
      hashedMessage: new OctetString({ valueHex: hash }),
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
  const { status, timeStampToken } = TimeStampResp.fromBER(bytes);
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !timeStampToken) throw new Error(`the time stamp was refused: ${status.status}`);
  const { messageImprint, nonce: answered } = infoOf(timeStampToken);
  const isOfHash = Buffer.from(messageImprint.hashedMessage.valueBlock.valueHexView).equals(hash);
  const isOfRequest = answered && Buffer.from(answered.valueBlock.valueHexView).equals(nonce);
  if (!isOfHash || !isOfRequest) throw new Error('the time stamp is for something else');
  return timeStampToken;
}

function infoOf({ content }: ContentInfo): TSTInfo {
  const { encapContentInfo } = new SignedData({ schema: content });
  if (!encapContentInfo.eContent) throw new Error('the time stamp is empty');
  return TSTInfo.fromBER(encapContentInfo.eContent.getValue());
}
