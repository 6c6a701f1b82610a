import { expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { Client } from '../support/client.js';
import { signUp, type Trainer } from '../support/people.js';
import { connectSocket } from '../support/socket.js';

interface Origin {
  url: string;
}

interface Hint {
  topic: string;
  position: number;
}

const WRITES = 20;
/** The limit of wrong passwords for one account from one address in ten minutes. */
const WRONG_PASSWORDS = 20;

const newStudent = { nome: 'Bia Aluna', telefone: '(11) 98765-4321' };

const hintOf = (socket: Socket, topic: string) =>
  new Promise<Hint>((resolve) => {
    socket.on('hint', (hint: Hint) => hint.topic === topic && resolve(hint));
  });
const ended = (socket: Socket) => new Promise<string>((resolve) => socket.once('disconnect', resolve));

function signIn({ url }: Origin, { email, password, address }: Trainer) {
  return new Client(url).request<{ access_token: string }>('POST', '/auth/v1/token', {
    query: { grant_type: 'password' },
    body: { email, password },
    headers: { 'X-Forwarded-For': address },
  });
}

/** Tests what the replicas of one instance share, through two origins: every replica must answer the same. */
export function itIsShared(origins: () => readonly [Origin, Origin]): void {
  it('a socket on one replica gets hints of changes on the other', async () => {
    const [one, other] = origins();
    const trainer = await signUp(one);
    const heard = hintOf(await connectSocket(one, trainer), 'students');
    await new Client(other.url, trainer).post('/students', newStudent);
    expect((await heard).position).toBeGreaterThan(0);
  });

  it('a user who signs in on one replica is signed in on the other, and signing out ends both, including sockets', async () => {
    const [one, other] = origins();
    const trainer = await signUp(one);
    const { body: session } = await signIn(one, trainer);
    const device = { ...trainer, accessToken: session.access_token };
    const sockets = await Promise.all([connectSocket(one, device), connectSocket(other, device)]);
    const me = () => new Client(other.url, device).request('GET', '/api/v1/me');
    expect((await me()).status).toBe(200);

    const over = Promise.all(sockets.map(ended));
    const { status } = await new Client(one.url, device).request('POST', '/auth/v1/logout', {
      query: { scope: 'local' },
    });
    expect(status).toBe(204);
    expect((await me()).status).toBe(401);
    expect(await over).toEqual(['io server disconnect', 'io server disconnect']);
    await expect(connectSocket(other, device)).rejects.toThrow('unauthenticated');
  });

  it('what was written on one replica is read on the other', async () => {
    const [one, other] = origins();
    const trainer = await signUp(one);
    for (let n = 0; n < WRITES; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one];
      const { body } = await new Client(writer.url, trainer).post('/students', newStudent);
      const read = await new Client(reader.url, trainer).get(`/students/${body.id}`);
      expect({ n, stale: read.headers.get('rende-stale') }).toEqual({ n, stale: null });
    }
  });

  it('a limit counts the requests to all replicas', async () => {
    const [one, other] = origins();
    const trainer = await signUp(one);
    const guess = { ...trainer, password: 'não é esta' };
    const statuses = [];
    for (let n = 0; n <= WRONG_PASSWORDS; n += 1)
      statuses.push((await signIn(n % 2 === 0 ? one : other, guess)).status);
    expect(statuses).toEqual([...Array<number>(WRONG_PASSWORDS).fill(400), 429]);
    expect((await signIn(one, trainer)).status).toBe(429);
    expect((await signIn(other, trainer)).status).toBe(429);
  });
}
