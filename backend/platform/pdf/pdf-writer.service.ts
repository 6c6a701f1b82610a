import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TenantQueue } from '../database/tenant-queue.js';

const THREAD = resolve('dist/backend/pdf.thread.js');
/** The thread ends after this idle time, to free its memory and to forget the last files. */
const IDLE_MS = 30_000;
const MEMORY_MB = 256;
/** Files that are drawn once when they are requested repeatedly. */
const MOST_KEPT = 16;

/** What is drawn: the name of the drawing in `pdf.thread.ts`, and what it prints. */
export interface DrawnFile {
  name: string;
  facts: object;
}

/** Draws PDFs in a worker thread, one at a time, because a long one would block the requests of the process. */
@Injectable()
export class PdfWriter implements OnApplicationShutdown {
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private before: Promise<unknown> = Promise.resolve();
  /** So a file waits for at most one of each other tenant. */
  private readonly tenants = new TenantQueue({ atOnce: 1, maxWaiting: 50, maxWaitMs: 10_000 });
  /** By the hash of what they print, in the order of their requests. */
  private readonly files = new Map<string, Promise<Buffer>>();

  /** `Facts` is what the drawing takes. @throws Problem `busy` if too many files of the tenant wait */
  write<Facts extends object>(tenantId: string, name: string, facts: Facts): Promise<Buffer> {
    const key = hash('sha256', JSON.stringify([name, facts]), 'base64url');
    const known = this.files.get(key);
    if (known) return known;
    const file = this.tenants.run(tenantId, () => this.inTurn({ name, facts }));
    this.files.set(key, file);
    file.catch(() => this.files.delete(key));
    const [oldest] = this.files.keys();
    if (this.files.size > MOST_KEPT) this.files.delete(oldest!);
    return file;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }

  private inTurn(wanted: DrawnFile): Promise<Buffer> {
    const file = this.before.then(() => this.writeNext(wanted));
    this.before = file.catch(() => undefined);
    return file;
  }

  private async writeNext(wanted: DrawnFile): Promise<Buffer> {
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    try {
      return await new Promise<Buffer>((written, failed) => {
        thread.removeAllListeners();
        thread.once('message', ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
          written(Buffer.from(buffer, byteOffset, byteLength)),
        );
        thread.once('error', failed);
        thread.once('exit', () => failed(new Error('the thread that draws PDFs has ended')));
        thread.postMessage(wanted);
      });
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  private start(): Worker {
    const thread = new Worker(THREAD, {
      // The thread must not inherit Node options of the process.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    thread.unref();
    return thread;
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle);
    const { thread } = this;
    this.thread = undefined;
    this.files.clear();
    await thread?.terminate();
  }
}
