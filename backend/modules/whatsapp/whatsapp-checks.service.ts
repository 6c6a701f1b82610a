import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { describeError } from '../../platform/ops/logger.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { ResumeWhatsApp } from './whatsapp.commands.js';
import { WhatsAppClient } from './whatsapp-client.service.js';
import { connectionOf, type WhatsAppConnectionEvent } from './whatsapp-connection.js';
import { WhatsAppConnections } from './whatsapp-connections.service.js';
import { WhatsAppFailure } from './whatsapp-failure.js';
import { checkWhatsApp } from './whatsapp.job.js';

/** Tests a connection once it is made. */
export const whatsAppChecks = defineReaction({
  name: 'whatsapp-checks',
  events: ['WhatsAppConnected'] satisfies WhatsAppConnectionEvent['type'][],
});

/** A failure leaves what an earlier test has read. A former connection that answers late says nothing of the present one. */
const CHECKED = `insert into whatsapp_checks as k (tenant_id, connection_id, testado_em, falha, nome, numero, modelos)
  select $1::uuid, $2::uuid, $3::timestamptz, $4, $5, $6, coalesce($7::jsonb, '[]')
  where exists (select from whatsapp_connections where tenant_id = $1 and connection_id = $2)
  on conflict (tenant_id) do update set connection_id = excluded.connection_id, testado_em = excluded.testado_em,
    falha = excluded.falha,
    nome = case when $4 is null or k.connection_id <> $2 then excluded.nome else k.nome end,
    numero = case when $4 is null or k.connection_id <> $2 then excluded.numero else k.numero end,
    modelos = case when $4 is null or k.connection_id <> $2 then excluded.modelos else k.modelos end`;
const DUE = 'select tenant_id from whatsapp_checks_due()';
const SEE = "select set_config('app.tenant', $1, true)";

/** Reads a connection's number and templates, for the settings page. */
@Injectable()
export class WhatsAppChecks implements OnModuleInit {
  private readonly logger = new Logger(WhatsAppChecks.name);

  constructor(
    private readonly database: Database,
    private readonly connections: WhatsAppConnections,
    private readonly client: WhatsAppClient,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly reactions: Reactions,
    private readonly hints: HintBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(checkWhatsApp, ({ tenantId }) => this.check(tenantId));
    this.reactions.handle(whatsAppChecks, ({ event: { tenantId } }) =>
      Promise.resolve(() => this.wake(tenantId)),
    );
  }

  wake(tenantId: string): void {
    this.queues.add(checkWhatsApp, { tenantId }).catch((error: unknown) => {
      this.logger.warn({ msg: 'test of a connection lost', tenantId, err: describeError(error) });
    });
  }

  /** One after another: there are few. */
  async checkDue(): Promise<void> {
    const due = await this.database.lookUp<{ tenant_id: string }>(DUE, []);
    await eachAlone(
      due,
      ({ tenant_id: tenantId }) => ({ tenantId }),
      ({ tenant_id }) => this.check(tenant_id),
    );
  }

  async check(tenantId: string): Promise<void> {
    const found = await this.connections.find(tenantId, randomUUID());
    if (!found?.state.connected) return;
    const { connection_id } = found.state.last!;
    const connection = connectionOf(found.state);
    let read: [string, string, string] | null = null;
    let falha: string | null = null;
    try {
      if (!connection) throw new WhatsAppFailure('chaves');
      const { nome, numero } = await this.client.phone(connection);
      read = [nome, numero, JSON.stringify(await this.client.templates(connection))];
    } catch (error) {
      if (!(error instanceof WhatsAppFailure)) throw error;
      falha = error.stored;
    }
    const [nome, numero, modelos] = read ?? [null, null, null];
    await this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      await query(CHECKED, [tenantId, connection_id, this.clock.now(), falha, nome, numero, modelos]);
    });
    if (read && found.state.parada !== null)
      await this.commands.execute(new ResumeWhatsApp(nobodyOf(tenantId, found.timezone), connection_id));
    // What was read is in no event, and so has no position.
    const topics = new Set(['settings']);
    this.hints.projected([{ tenantId, position: 0, topics, students: new Map() }]);
  }
}
