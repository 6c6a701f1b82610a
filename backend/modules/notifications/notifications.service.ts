import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import type { Query } from '../../platform/database/database.js';
import { derivedId } from '../../platform/derived-id.js';
import type { StoredEvent } from '../../platform/event-store/event-codec.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { type Cause, type Notice, noticedEvents, noticedOf, type Noticed } from './notice.js';
import { hintTo } from './notifications.hints.js';

/** Tells trainer and student what the other did. */
export const notify = defineReaction({ name: 'notifications', events: noticedEvents });

const TRAINER = `select user_id from memberships where tenant_id = $1 and role = 'personal'`;
/** What one command did to one student several times is one notification. An event that it tells of already changes nothing. */
const TELL = `insert into notifications as n
    (tenant_id, id, para, student_id, tipo, subject_id, inicio, antes, valor, dia, position, em)
  select $1::uuid, $2::uuid, $3, $4::uuid, $5, $6::uuid, $7::timestamptz, $8::timestamptz, $9::integer, $10::date,
    $11::bigint, $12::timestamptz
  where $3 = 'personal'
    or exists (select from memberships where tenant_id = $1 and student_id = $4::uuid and role = 'aluno')
  on conflict (tenant_id, id) do update set quantidade = n.quantidade + 1, position = excluded.position,
    inicio = least(n.inicio, excluded.inicio)
  where n.position < excluded.position`;
const TAKE_BACK = `delete from notifications
  where tenant_id = $1 and tipo = $2 and subject_id = $3 and lida_em is null`;
const FORGET = `delete from notifications where tenant_id = $1 and student_id = $2 and ($3::text is null or para = $3)`;
const FORGET_ALL = 'delete from notifications where tenant_id = $1';

/** Makes notifications, each in the transaction that moves the reaction's checkpoint: so once, whatever is killed. */
@Injectable()
export class Notifications implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly hints: HintBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(notify, async ({ event, query }) => {
      const { tenantId, position, meta } = event;
      const by = await causeOf(event, query);
      const noticed = noticedOf({ event, by, command: meta.command, now: this.clock.now() });
      for (const each of noticed) await follow(each, event, query);
      const told = noticed.flatMap((each) => (each.then === 'tell' ? [each.notice] : []));
      if (told.length === 0) return undefined;
      return () => this.hints.projected(told.map((notice) => hintTo(notice, tenantId, position)));
    });
  }
}

/** Visitors and jobs act as the tenant itself. */
async function causeOf({ tenantId, meta: { actor } }: StoredEvent, query: Query): Promise<Cause> {
  if (actor === tenantId) return 'nobody';
  const trainers = await query<{ user_id: string }>(TRAINER, [tenantId]);
  return trainers.some(({ user_id }) => user_id === actor) ? 'personal' : 'aluno';
}

async function follow(noticed: Noticed, event: StoredEvent, query: Query): Promise<void> {
  const { tenantId } = event;
  switch (noticed.then) {
    case 'tell':
      await query(TELL, valuesOf(noticed.notice, event));
      return;
    case 'take back':
      await query(TAKE_BACK, [tenantId, noticed.tipo, noticed.subject_id]);
      return;
    case 'forget':
      await query(FORGET, [tenantId, noticed.student_id, noticed.para ?? null]);
      return;
    case 'forget all':
      await query(FORGET_ALL, [tenantId]);
      return;
  }
}

/** The events of one command were recorded at one instant. */
function valuesOf(notice: Notice, { tenantId, meta, position, recordedAt }: StoredEvent): unknown[] {
  const { para, student_id, tipo, subject_id, inicio, antes, valor, dia } = notice;
  const command = `${tenantId}/${meta.request}/${recordedAt.getTime()}`;
  const id = derivedId(`notification/${command}/${para}/${student_id}/${tipo}`);
  const facts = [para, student_id, tipo, subject_id, inicio, antes, valor, dia];
  return [tenantId, id, ...facts, position, recordedAt];
}
