import { connect, type Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../config/env.js';
import { type Letter, letterHtml, letterText } from './letter.js';
import { isAddressDead } from './mail-reports.js';
import { MailRefused, Post } from './post.js';

const CONNECTIONS = 5;
const TIMEOUT_MS = 10_000;
/**
 * Longest SMTP conversation: an idle timeout would not end one with a server that keeps sending. A mail needs a few
 * seconds.
 */
const CONVERSATION_MS = 60_000;

/** Fields of nodemailer's errors. */
interface SmtpFailure extends Error {
  /** The server's answer, such as 550. */
  responseCode?: number;
  response?: string;
  command?: string;
}

interface MailServer {
  host?: string | undefined;
  port?: number | string | undefined;
  secure?: boolean | undefined;
}

type UseSocket = (error: Error | null, socket?: { connection: Socket }) => void;

/** Mails over SMTP. A server that is not on this machine must offer TLS. */
@Injectable()
export class SmtpPost extends Post implements OnApplicationShutdown {
  /** Time limit of the conversation for one mail. */
  protected readonly conversationMs: number = CONVERSATION_MS;
  private readonly transport;
  private readonly domain: string;

  constructor(private readonly config: Config) {
    super();
    const { hostname } = new URL(config.smtpUrl!);
    this.domain = new URL(config.siteUrl).hostname;
    this.transport = createTransport({
      url: config.smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      // A connection that fails affects only its own mail.
      maxMessages: 1,
      getSocket: (address: MailServer, use: UseSocket) => this.connect(address, use),
      requireTLS: !isThisMachine(hostname),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Derives the Message-ID from the id, so that a server or mailbox can recognise a duplicate. */
  async send(id: string, letter: Letter): Promise<void> {
    try {
      await this.transport.sendMail({
        messageId: `<${id}@${this.domain}>`,
        from: this.config.mailFrom,
        to: { name: '', address: letter.to },
        subject: letter.subject,
        text: letterText(letter),
        html: letterHtml(letter),
        headers: {
          'Auto-Submitted': 'auto-generated',
          // Unsubscribing by one tap in the mail program (RFC 8058).
          ...(letter.unsubscribe !== undefined && {
            'List-Unsubscribe': `<${letter.unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        ...(letter.attachment && {
          attachments: [
            {
              filename: letter.attachment.name,
              content: letter.attachment.content,
              contentType: letter.attachment.type,
            },
          ],
        }),
      });
    } catch (error) {
      const { responseCode = 0, response = '', command } = error as SmtpFailure;
      const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
      if (responseCode >= 500 && isAboutThisMail) {
        const [, status] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
        // Without a status of RFC 3463, what is said to the recipient is taken to be about it.
        const isAboutAddress = status ? isAddressDead(status) : command === 'RCPT TO';
        throw new MailRefused(`answered ${responseCode} to ${command}`, isAboutAddress);
      }
      throw error;
    }
  }

  /** Opens the TCP connection; Nodemailer adds TLS. */
  private connect({ host, port, secure }: MailServer, use: UseSocket): void {
    const socket = connect({ host: host!, port: Number(port ?? (secure ? 465 : 587)) });
    const endIn = (ms: number) =>
      setTimeout(() => socket.destroy(new Error('the mail server takes too long')), ms);
    let end = endIn(TIMEOUT_MS);
    socket.once('error', use);
    socket.once('connect', () => {
      clearTimeout(end);
      end = endIn(this.conversationMs);
      socket.off('error', use);
      use(null, { connection: socket });
    });
    socket.once('close', () => clearTimeout(end));
  }

  /** Nothing to delete: sent mails are not stored here. */
  async forget(): Promise<void> {}

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
