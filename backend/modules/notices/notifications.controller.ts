import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { Serves } from '../../platform/http/serve.js';
import { accountNotificationsApi, type UnreadOfAccount } from './notifications.api.js';
import { unreadOf } from './notifications.queries.js';

/** Of all that the signed-in user is, each read in its own tenant. */
@Controller()
export class AccountNotificationsController {
  constructor(private readonly database: Database) {}

  @Serves(accountNotificationsApi.unread)
  async unread(@Req() request: FastifyRequest): Promise<UnreadOfAccount> {
    const items = request.caller!.memberships.map(async ({ tenantId, studentId }) => {
      const [counted] = await this.database.read(tenantId, unreadOf(studentId));
      return { tenant_id: tenantId, student_id: studentId, ...counted! };
    });
    return { items: await Promise.all(items) };
  }
}
