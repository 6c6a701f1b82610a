import { createPrivateKey, hkdfSync } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../clock.js';
import { Config } from '../config/env.js';
import { Database } from '../database/database.js';
import { open, seal } from '../event-store/personal-data.js';
import type { PdfCertificate } from './certificate.js';
import { sealPdf } from './sealed-pdf.js';

// Imported when the first file or the certificate is made, as `pdfkit` is.
const certificates = () => import('./certificate.js');
const signatures = () => import('./detached-signature.js');
const timestamps = () => import('./timestamp.js');

const STORED = 'select certificate, sealed_key from pdf_certificate';
/** Another process may have stored a certificate at the same time; then that one is used. */
const FIRST = 'insert into pdf_certificate (certificate, sealed_key) values ($1, $2) on conflict do nothing';
const CONTEXT = 'pdf_certificate';

interface StoredRow {
  certificate: Buffer;
  sealed_key: Buffer;
}

/** Whether a file has a time stamp; `missing`: it should have one, but the server did not provide it. */
export type Stamp = 'none' | 'present' | 'missing';

export interface SealedFile {
  file: Buffer;
  /** The certified time; null without a time stamp. */
  stampedAt: Date | null;
}

/**
 * Signs files with the certificate of this instance, so that readers detect any change. It is the configured
 * certificate, or a self-signed one that is made at the first start, whose key is stored encrypted in the database.
 */
@Injectable()
export class PdfSeals implements OnApplicationBootstrap {
  private readonly logger = new Logger(PdfSeals.name);
  private opened: Promise<PdfCertificate> | undefined;
  private readonly sealingKey: Buffer;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.sealingKey = Buffer.from(hkdfSync('sha256', config.masterKey, '', 'pdf: certificate', 32));
  }

  /** If this fails, the certificate is made with the first file. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.pdfCertificate || !this.config.roles.has('worker')) return;
    try {
      if (!(await this.stored())) await this.first();
    } catch (error) {
      this.logger.error(new Error('The certificate for files could not be made', { cause: error }));
    }
  }

  /**
   * Signs the file that `write` writes; the file states whether it has a time stamp. `mayGoWithout`: write a file
   * without one rather than none.
   * @throws if the file has no room for a signature, or if the time stamp server fails and the file may not go without
   */
  async seal(write: (stamp: Stamp) => Promise<Buffer>, mayGoWithout: boolean): Promise<SealedFile> {
    this.opened ??= this.open();
    const certificate = await this.opened.catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    const { timestampUrl } = this.config;
    const [{ signDetached }, { timestampOf }] = await Promise.all([signatures(), timestamps()]);
    const sign = async (stamp: Stamp, timestamp?: Parameters<typeof signDetached>[2]) =>
      sealPdf(await write(stamp), (content) => signDetached(content, certificate, timestamp));
    if (!timestampUrl) return { file: await sign('none'), stampedAt: null };
    try {
      let stampedAt: Date | null = null;
      const file = await sign('present', async (signature) => {
        const { token, at } = await timestampOf(timestampUrl, signature);
        stampedAt = at;
        return token;
      });
      return { file, stampedAt };
    } catch (error) {
      if (!mayGoWithout) throw error;
      this.logger.warn(new Error('A file goes without a time stamp', { cause: error }));
      return { file: await sign('missing'), stampedAt: null };
    }
  }

  private async open(): Promise<PdfCertificate> {
    const { pdfCertificate: given } = this.config;
    const { certificatesOf, openCertificate } = await certificates();
    if (given) {
      const privateKey = createPrivateKey(given.privateKey).export({ type: 'pkcs8', format: 'der' });
      return openCertificate(certificatesOf(given.certificate), privateKey);
    }
    const { certificate, sealed_key } = (await this.stored()) ?? (await this.first());
    return openCertificate([certificate], open(this.sealingKey, sealed_key, CONTEXT));
  }

  private async stored(): Promise<StoredRow | undefined> {
    return (await this.database.query<StoredRow>(STORED, []))[0];
  }

  private async first(): Promise<StoredRow> {
    const { hostname } = new URL(this.config.siteUrl);
    const { newCertificate } = await certificates();
    const { certificate, privateKey } = await newCertificate(hostname, this.clock.now());
    await this.database.query(FIRST, [certificate, seal(this.sealingKey, privateKey, CONTEXT)]);
    return (await this.stored())!;
  }
}
