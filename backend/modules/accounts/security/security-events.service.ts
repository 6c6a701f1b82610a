import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { logSecurity } from '../../../platform/ops/security-log.js';
import type { Device } from '../sessions/devices.service.js';
import { isNotified, type KeptEvent, noticeKind } from './notices.js';

const NEW = `insert into auth.security_events (id, user_id, event, session_id, user_agent, address)
  values ($1, $2, $3, $4, $5, $6)`;

/** The account, and the session that caused the event. */
interface Doer {
  userId: string;
  sessionId: string | null;
}

/** Records security events of accounts: a row, a log line, and a mail to the owner. */
@Injectable()
export class SecurityEvents {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Records an event in the transaction that causes it, so that it is stored and mailed exactly once. Call the returned function
   * after the commit.
   */
  async note(
    query: Query,
    event: KeptEvent,
    { userId, sessionId }: Doer,
    device: Device,
  ): Promise<() => void> {
    const id = randomUUID();
    await query(NEW, [id, userId, event, sessionId, device.userAgent, device.address]);
    if (isNotified(event)) {
      const kind = noticeKind(event);
      await this.outbox.put(query, { id, kind, tenantId: null, personId: userId, subjectId: id });
    }
    return () => {
      logSecurity(event, { userId, sessionId: sessionId ?? undefined }, device);
      if (isNotified(event)) this.outbox.wake(id);
    };
  }
}
