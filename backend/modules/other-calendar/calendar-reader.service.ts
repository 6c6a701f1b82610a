import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { BusyAnswer, BusyAsked } from './busy-times.ics.js';
import { SourceFailure } from './calendar-source.service.js';

const THREAD = resolve('dist/backend/modules/other-calendar/busy-times.thread.js');
const READ_MS = 8_000;
const MEMORY_MB = 192;

/** Reads calendars in threads that end after some seconds or where they take too much memory, whatever the text makes them do. */
@Injectable()
export class CalendarReader {
  protected readonly readMs: number = READ_MS;

  /** @throws SourceFailure where it is no calendar, or one that takes too much */
  async read(asked: BusyAsked): Promise<[from: number, to: number][]> {
    const answer = await this.answer(asked);
    if ('failure' in answer) throw new SourceFailure(answer.failure);
    return answer.busy;
  }

  private answer(asked: BusyAsked): Promise<BusyAnswer> {
    const thread = new Worker(THREAD, {
      workerData: asked,
      // Nothing of what this process was started with concerns it.
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
