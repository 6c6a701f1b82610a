import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { Clock } from '../clock.js';
import { type Services, using, type WorkWith } from '../services.js';
import { defineJob, type JobDefinition } from './define-job.js';
import { Queues } from './queues.js';

interface ScheduledWork extends JobDefinition<object> {
  /** Provider for the module that lists the job. */
  readonly Handler: Type<{ run(): Promise<void> }>;
}

/** A job that runs at an interval, with its work, which is given the current time and these services of Nest. */
export function defineSchedule<Named extends Services>(
  name: string,
  everyMs: number,
  ...given: [Named, WorkWith<Named, Date, [], Promise<void>>]
): ScheduledWork {
  const job = defineJob({ name, schedule: { everyMs } });
  const { services, workWith } = using(given);

  @Injectable()
  class Handler implements OnModuleInit {
    private readonly work: (now: Date) => Promise<void>;

    constructor(
      private readonly queues: Queues,
      private readonly clock: Clock,
      ...instances: unknown[]
    ) {
      this.work = workWith(instances);
    }

    onModuleInit(): void {
      this.queues.handle(job, () => this.run());
    }

    run(): Promise<void> {
      return this.work(this.clock.now());
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Queues, Clock, ...services], Handler);
  return Object.assign(job, { Handler });
}
