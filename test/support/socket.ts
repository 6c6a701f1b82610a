import { io, type Socket } from 'socket.io-client';
import { atEnd } from './cleanup.js';
import type { Caller } from './client.js';

/** A connected socket of this caller, which the server has put into its rooms; closed when the test file ends. */
export async function connectSocket(
  { url }: { url: string },
  { accessToken }: Pick<Caller, 'accessToken'>,
  /** Of the page that opens it, as browsers say; programs say none. */
  origin?: string,
): Promise<Socket> {
  const socket = io(url, {
    auth: { token: accessToken },
    ...(origin !== undefined && { extraHeaders: { origin } }),
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  atEnd(() => socket.close());
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}
