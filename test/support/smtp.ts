import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEnd } from './cleanup.js';
import { privatePort } from './ports.js';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** By lower-case name; folded lines are joined. */
  headers: Map<string, string>;
  /** As received, decoded. */
  body: string;
  raw: Buffer;
}

/** The test file's own mail server. */
export interface TestSmtp {
  url: string;
  received: ReceivedMail[];
  /** Reply codes to the next recipients instead of 250, such as 450 or 550. */
  refusals: number[];
  close(): Promise<void>;
}

/** Starts a real SMTP server, by default on a private port; ends with the test file. */
export async function smtp(port?: number): Promise<TestSmtp> {
  const own = port ?? (await privatePort());
  const received: ReceivedMail[] = [];
  const refusals: number[] = [];
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, callback) {
      const responseCode = refusals.shift();
      callback(
        responseCode === undefined
          ? null
          : Object.assign(new Error('not now, ana@exemplo'), { responseCode }),
      );
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        const [from] = mailFrom ? [mailFrom.address] : [''];
        received.push({ from, to: rcptTo.map(({ address }) => address), ...parse(Buffer.concat(chunks)) });
        callback();
      });
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= new Promise((resolve) => server.close(() => resolve())));
  atEnd(close);
  const listening = once(server.listen(own, '127.0.0.1'), 'listening');
  await listening;
  return { url: `smtp://127.0.0.1:${own}`, received, refusals, close };
}

function parse(raw: Buffer): Pick<ReceivedMail, 'headers' | 'body' | 'raw'> {
  const text = raw.toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
  });
  return { headers: new Map(headers), body: decodeQuoted(text.slice(end)), raw };
}

function decodeQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/(=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'));
  return bytes.replaceAll('\r\n', '\n');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_word, quoted: string) => decodeQuoted(quoted.replaceAll('_', ' ')))
    .replace(/=\?UTF-8\?B\?(.*?)\?=/gi, (_word, base64: string) =>
      Buffer.from(base64, 'base64').toString('utf8'),
    );
}
