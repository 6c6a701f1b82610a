import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { BusyAnswer, BusyAsked } from './busy-times.ics.js';
import { SourceFailure } from './calendar-source.service.js';

const THREAD = resolve('dist/backend/modules/other-calendar/busy-times.thread.js');
const READ_MS = 8_000;
const MEMORY_MB = 192;

/** Reads calendars, which may be hostile, in threads that are ended after some seconds or if they use too much memory. */
@Injectable()
export class CalendarReader {
  protected readonly readMs: number = READ_MS;

  /** @throws SourceFailure if the text is no calendar, or needs too much time or memory */
  async read(asked: BusyAsked): Promise<[from: number, to: number][]> {
    const answer = await this.answer(asked);
    if ('failure' in answer) throw new SourceFailure(answer.failure);
    return answer.busy;
  }

  private answer(asked: BusyAsked): Promise<BusyAnswer> {
    const thread = new Worker(THREAD, {
      workerData: asked,
      // The thread gets no options and variables of this process.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    return new Promise<BusyAnswer>((answered) => {
      const end = setTimeout(() => answered({ failure: 'repeticoes' }), this.readMs);
      thread.once('message', (answer: BusyAnswer) => answered(answer));
      thread.once('error', () => answered({ failure: 'repeticoes' }));
      thread.once('exit', () => {
        clearTimeout(end);
        answered({ failure: 'formato' });
      });
    }).finally(() => void thread.terminate());
  }
}
