import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { TenantQueue } from '../database/tenant-queue.js';

/** Concurrent reads per person. All share the connections, and no page sends more of these at a time. */
const AT_ONCE = 3;
const WAITING = { maxWaiting: 1_000, maxWaitMs: 10_000 };

/**
 * Limits concurrent reads of a person's own data, which belong to no tenant: each person has a share of the
 * connections, as a tenant has. Requests of a student run one after another, so that no student uses all of the
 * tenant's share.
 */
export class OwnReads implements NestInterceptor {
  private readonly reading = new TenantQueue({ atOnce: AT_ONCE, ...WAITING });
  private readonly readingAsStudent = new TenantQueue({ atOnce: 1, ...WAITING });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method, caller, rende } = context.switchToHttp().getRequest<FastifyRequest>();
    // Signed in by the link to a student's area, there is no user: `rende` names the student.
    const person = rende?.userId ?? caller?.userId;
    if (method !== 'GET' || person === undefined || rende?.role === 'personal') return next.handle();
    const queue = rende ? this.readingAsStudent : this.reading;
    return from(queue.run(person, () => lastValueFrom(next.handle())));
  }
}
