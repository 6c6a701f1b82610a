import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Config } from '../../backend/platform/config/env.js';
import { MailRefused } from '../../backend/platform/mail/post.js';
import { SmtpPost } from '../../backend/platform/mail/smtp-post.js';
import { atEnd } from '../support/cleanup.js';

/** Gives up sooner than the real one. */
class HastyPost extends SmtpPost {
  protected override readonly conversationMs = 1_500;
}

/** Starts a mail server that handles connections with `talk`. Returns its port and everything that it received. */
async function server(talk: (socket: Socket) => void) {
  const told: string[] = [];
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => told.push(text));
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    talk(socket);
  });
  await once(listening.listen(0, '0.0.0.0'), 'listening');
  atEnd(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        listening.close(() => resolve());
      }),
  );
  return { port: (listening.address() as AddressInfo).port, told: () => told.join(''), sockets };
}

/** Sends a mail to this port. Returns the outcome. */
async function sendTo(
  port: number,
  { host = '127.0.0.1', By = HastyPost }: { host?: string; By?: typeof SmtpPost } = {},
): Promise<unknown> {
  const post = new By({
    smtpUrl: `smtp://${host}:${port}`,
    siteUrl: 'https://rende.example',
    mailFrom: 'Rende <ola@rende.example>',
  } as Config);
  try {
    return await post.send('1', { to: 'ana@exemplo.com.br', subject: 'Oi', paragraphs: ['Olá!'] }).then(
      () => 'sent',
      (error: unknown) => error,
    );
  } finally {
    post.onApplicationShutdown();
  }
}

/** Sends a text repeatedly until the connection is closed. */
const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 50);
  socket.once('close', () => clearInterval(timer));
};

/** Handles each command with its function in `replies`, and answers others with 250. */
const answering = (replies: Record<string, (socket: Socket) => void>) => (socket: Socket) => {
  socket.write('220 mail\r\n');
  let inData = false;
  socket.on('data', (text: string) => {
    if (inData) return replies['.']?.(socket);
    const command = text.split(/[ \r]/)[0]!.toUpperCase();
    if (command === 'DATA') inData = true;
    const reply =
      replies[command] ?? ((to: Socket) => to.write(command === 'DATA' ? '354 go\r\n' : '250 ok\r\n'));
    return reply(socket);
  });
};

it.each<[string, (socket: Socket) => void]>([
  ['greets letter by letter', (socket) => drip(socket, '2')],
  ['greets in lines without an end', (socket) => drip(socket, '220-wait\r\n')],
  ['ends no reply to EHLO', answering({ EHLO: (socket) => drip(socket, '250-more\r\n') })],
  ['ends no reply to DATA', answering({ DATA: (socket) => drip(socket, '354-more\r\n') })],
  ['ends no reply to the mail itself', answering({ '.': (socket) => drip(socket, '250-more\r\n') })],
  ['says nothing', () => undefined],
])('a mail server that %s is disconnected, and the mail stays in the outbox', async (_does, talk) => {
  const { port, sockets } = await server(talk);

  const outcome = await sendTo(port);

  expect(outcome).toMatchObject({ message: expect.any(String) });
  expect(outcome).not.toBeInstanceOf(MailRefused);
  // The connection is closed, or reset if it had unread data.
  await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
});

it.each<[string, (socket: Socket) => void]>([
  ['hangs up at once', (socket) => socket.destroy()],
  ['hangs up in the middle of the mail', answering({ '.': (socket) => socket.destroy() })],
  ['hangs up after the command DATA', answering({ DATA: (socket) => socket.destroy() })],
  ['answers in megabytes', answering({ EHLO: (socket) => socket.write('x'.repeat(3_000_000)) })],
  ['answers in what is no SMTP', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
])('a mail server that %s gets the mail again later', async (_does, talk) => {
  const { port } = await server(talk);

  const outcome = await sendTo(port);

  expect(outcome).toMatchObject({ message: expect.any(String) });
  expect(outcome).not.toBeInstanceOf(MailRefused);
});

it.each<[string, Record<string, (socket: Socket) => void>]>([
  [
    'takes its offer of TLS back',
    {
      EHLO: (socket) => socket.write('250-mail\r\n250 STARTTLS\r\n'),
      STARTTLS: (socket) => socket.write('454 not now\r\n'),
    },
  ],
])('a mail server on another machine that %s receives nothing of the mail', async (_does, replies) => {
  const { port, told } = await server(answering(replies));

  // Linux connects 0.0.0.0 to this machine, but it does not count as a local address. The client waits for the greeting.
  const outcome = await sendTo(port, { host: '0.0.0.0', By: SmtpPost });

  expect(outcome).toMatchObject({ message: expect.any(String) });
  expect(told()).toContain('EHLO');
  expect(told()).not.toMatch(/MAIL FROM|exemplo/);
});
