import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../config/env.js';
import { type Letter, letterHtml, letterText } from './letter.js';
import { MailRefused, Post } from './post.js';

const CONNECTIONS = 5;
const TIMEOUT_MS = 10_000;

/** What nodemailer tells of a failure. */
interface SmtpFailure extends Error {
  /** The server's answer, such as 550. */
  responseCode?: number;
  command?: string;
}

/** Mails over SMTP. A server that is not on this machine must offer TLS. */
@Injectable()
export class SmtpPost extends Post implements OnApplicationShutdown {
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
      requireTLS: !isThisMachine(hostname),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** The Message-ID follows from the id: a server or mailbox that gets a mail again can tell that it has it. */
  async send(id: string, letter: Letter): Promise<void> {
    try {
      await this.transport.sendMail({
        messageId: `<${id}@${this.domain}>`,
        from: this.config.mailFrom,
        to: { name: '', address: letter.to },
        subject: letter.subject,
        text: letterText(letter),
        html: letterHtml(letter),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { responseCode = 0, command } = error as SmtpFailure;
      const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
      if (responseCode >= 500 && isAboutThisMail)
        throw new MailRefused(`answered ${responseCode} to ${command}`);
      throw error;
    }
  }

  /** A mail that was sent is elsewhere. */
  async forget(): Promise<void> {}

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
