import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { BusyAnswer, BusyAsked, BusyTimes } from './busy-times.ics.js';
import { SourceFailure } from './calendar-source.service.js';

const THREAD = resolve('dist/backend/modules/other-calendar/busy-times.thread.js');
/** Without the time that its server takes. */
const READ_MS = 8_000;
const MEMORY_MB = 192;

/** Reads calendars, which may be hostile, in threads that are ended after some seconds or if they use too much memory. */
@Injectable()
export class CalendarReader {
  protected readonly readMs: number = READ_MS;

  /** @throws SourceFailure if it is no calendar, or needs too much time or memory */
  async read(asked: BusyAsked, parts: AsyncIterable<Uint8Array>): Promise<BusyTimes> {
    const thread = new Worker(THREAD, {
      workerData: asked,
      // The thread gets no options and variables of this process.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    // A thread that ends was given too much.
    const ended = new Promise<BusyAnswer>((answered) => {
      thread.on('error', () => answered({ failure: 'repeticoes' }));
      thread.once('exit', () => answered({ failure: 'repeticoes' }));
    });
    let leftMs = this.readMs;
    const answerTo = async (part: Uint8Array | null) => {
      const since = performance.now();
      thread.postMessage(part);
      const answer = await Promise.race([messageOf(thread), ended, late(leftMs)]);
      leftMs -= performance.now() - since;
      return answer;
    };
    try {
      let answer: BusyAnswer | null = null;
      for await (const part of parts) {
        answer = await answerTo(part);
        if (answer) break;
      }
      answer ??= await answerTo(null);
      if (!answer || 'failure' in answer) throw new SourceFailure(answer?.failure ?? 'formato');
      return answer;
    } finally {
      void thread.terminate();
    }
  }
}

const messageOf = (thread: Worker) =>
  new Promise<BusyAnswer | null>((answered) => thread.once('message', answered));

const late = async (afterMs: number): Promise<BusyAnswer> => {
  await setTimeout(afterMs, undefined, { ref: false });
  return { failure: 'repeticoes' };
};
