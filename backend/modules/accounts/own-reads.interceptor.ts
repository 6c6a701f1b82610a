import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { TenantQueue } from '../../platform/database/tenant-queue.js';

/** Few: all share the connections, and no page asks for more of its own at a time. */
const AT_ONCE = 3;

/** What people read of themselves, whichever tenant they work in: each has a share of the connections, as a tenant has. */
@Injectable()
export class OwnReads implements NestInterceptor {
  private readonly reading = new TenantQueue({ atOnce: AT_ONCE, maxWaiting: 1_000, maxWaitMs: 10_000 });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method, caller } = context.switchToHttp().getRequest<FastifyRequest>();
    if (method !== 'GET' || !caller) return next.handle();
    return from(this.reading.run(caller.userId, () => lastValueFrom(next.handle())));
  }
}
