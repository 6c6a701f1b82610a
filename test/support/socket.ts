import { io, type Socket } from 'socket.io-client';
import { atEnd } from './cleanup.js';
import type { Caller } from './client.js';

/** Connects a socket for this caller, and waits until the server has put it into its rooms; closed with the test file. */
export async function connectSocket(
  { url }: { url: string },
  { accessToken }: Pick<Caller, 'accessToken'>,
  /** The header Origin, which browsers send and other programs do not. */
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
