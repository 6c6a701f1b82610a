import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Evidence } from './signed-copy.pdf.js';

const THREAD = resolve('dist/backend/modules/contracts/signed-copy.thread.js');
/** The thread ends after this idle time, to free its memory. */
const IDLE_MS = 30_000;
const MEMORY_MB = 256;

/** Writes signed copies in a worker thread, one at a time, because a long one would block the requests of the process. */
@Injectable()
export class SignedCopyWriter implements OnApplicationShutdown {
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private before: Promise<unknown> = Promise.resolve();

  write(evidence: Evidence): Promise<Buffer> {
    const file = this.before.then(() => this.writeNext(evidence));
    this.before = file.catch(() => undefined);
    return file;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }

  private async writeNext(evidence: Evidence): Promise<Buffer> {
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    try {
      return await new Promise<Buffer>((written, failed) => {
        thread.removeAllListeners();
        thread.once('message', ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
          written(Buffer.from(buffer, byteOffset, byteLength)),
        );
        thread.once('error', failed);
        thread.once('exit', () => failed(new Error('the thread that writes signed copies has ended')));
        thread.postMessage(evidence);
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
    await thread?.terminate();
  }
}
