import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Query } from '../../platform/database/database.js';
import { derivedId } from '../../platform/derived-id.js';
import type { StoredEvent } from '../../platform/event-store/event-codec.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { takeMail } from '../../platform/mail/mail-limits.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction, type Occasion, Reactions } from '../../platform/reactions/define-reaction.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { type Cause, groupOf, type Notice, noticedEvents, noticedOf, type Noticed } from './notice.js';
import { usualMails } from '../letters/notification-settings.api.js';
import { toldBy } from './notification-mails.service.js';
import { PushSender } from './push-sender.service.js';
import type { Projected } from '../../platform/projections/projected.js';

const TOPICS: ReadonlySet<string> = new Set(['notifications']);

interface Reader {
  para: 'personal' | 'aluno';
  student_id: string;
}

/** The hint that a reader's notifications have changed, which are in no event. */
export const hintTo = ({ para, student_id }: Reader, tenantId: string): Projected => ({
  tenantId,
  position: 0,
  topics: new Set(para === 'personal' ? TOPICS : []),
  students: new Map(para === 'aluno' ? [[student_id, new Set(TOPICS)]] : []),
});

/** Notifies trainer and student of what the other did. */
export const notify = defineReaction({ name: 'notifications', events: noticedEvents });

const TRAINER = `select user_id from memberships where tenant_id = $1 and role = 'personal'`;
/** Several events of one command about one student become one notification. An event that it already includes changes nothing. */
const TELL = `insert into notifications as n
    (tenant_id, id, para, student_id, tipo, subject_id, inicio, antes, valor, dia, position, em)
  select $1::uuid, $2::uuid, $3, $4::uuid, $5, $6::uuid, $7::timestamptz, $8::timestamptz, $9::integer, $10::date,
    $11::bigint, $12::timestamptz
  where $3 = 'personal'
    or exists (select from memberships where tenant_id = $1 and student_id = $4::uuid and role = 'aluno')
  on conflict (tenant_id, id) do update set quantidade = n.quantidade + 1, position = excluded.position,
    inicio = least(n.inicio, excluded.inicio)
  where n.position < excluded.position
  returning xmax = 0 as is_new`;
/** The users who get a notification. */
const READERS = `memberships m
  left join notification_settings c on c.tenant_id = m.tenant_id and c.user_id = m.user_id
  where m.tenant_id = $1 and case $2 when 'personal' then m.role = 'personal' else m.student_id = $3::uuid end`;
const PUSH = `insert into push_deliveries (id, tenant_id, notification_id, subscription_id, created_at, next_attempt_at)
  select gen_random_uuid(), $1, $4, p.id, $6, $6 from auth.push_subscriptions p
  where p.user_id in (select m.user_id from ${READERS} and coalesce($5 = any(c.push), true))
  on conflict do nothing returning id`;
const MAILED = `select m.user_id from ${READERS} and $4 = any(c.email)`;
const ADDRESS = 'select email from auth.users where id = $1 and email_confirmed_at is not null';
const TAKE_BACK = `delete from notifications
  where tenant_id = $1 and tipo = $2 and subject_id = $3 and lida_em is null returning para, student_id`;
const SETTLE = `update notifications set lida_em = $4
  where tenant_id = $1 and tipo = $2 and subject_id = $3 and lida_em is null returning para, student_id`;
const REOPEN = `update notifications set lida_em = null where tenant_id = $1 and id = (
    select id from notifications where tenant_id = $1 and tipo = $2 and subject_id = $3 order by em desc, id desc limit 1)
  returning para, student_id`;
/** Those of a student, and of all who were merged into them. */
const FORGET = `with recursive same (id) as (
    select $2::uuid union select s.id from students s join same on s.tenant_id = $1 and s.juntado_em = same.id
  ), gone as (delete from notifications
    where tenant_id = $1 and student_id in (select id from same) and ($3::text is null or para = $3) returning para, student_id)
  select distinct para, student_id from gone`;
const FORGET_ALL = 'delete from notifications where tenant_id = $1';

/** Makes notifications in the transaction that moves the reaction's checkpoint, so each is made once, even after a crash. */
@Injectable()
export class Notifications implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly hints: HintBus,
    private readonly clock: Clock,
    private readonly pushes: PushSender,
    private readonly outbox: Outbox,
    private readonly addresses: MailAddresses,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.reactions.handle(notify, async (occasion) => {
      const { event, query } = occasion;
      const { tenantId, meta } = event;
      const by = await causeOf(event, query);
      const noticed = noticedOf({ event, by, command: meta.command, now: this.clock.now() });
      const after: (() => void)[] = [];
      for (const each of noticed) {
        if (each.then === 'tell') after.push(...(await this.tell(each.notice, occasion)));
        else
          for (const reader of await follow(each, event, query))
            after.push(() => this.hints.projected([hintTo(reader, tenantId)]));
      }
      return () => after.forEach((each) => each());
    });
  }

  /** Returns functions to call after the commit. */
  private async tell(notice: Notice, occasion: Occasion): Promise<(() => void)[]> {
    const { event, query } = occasion;
    const { tenantId } = event;
    const id = idOf(notice, event);
    const [told] = await query<{ is_new: boolean }>(TELL, valuesOf(id, notice, event));
    if (!told) return [];
    const hint = () => this.hints.projected([hintTo(notice, tenantId)]);
    if (!told.is_new) return [hint];
    const { para, student_id, tipo } = notice;
    const group = groupOf(tipo);
    const values = [tenantId, para, student_id, id, group, this.clock.now()];
    const pushes = await query<{ id: string }>(PUSH, values);
    const wakes = pushes.map((push) => () => this.pushes.wake(tenantId, push.id));
    if (usualMails[para].some((usual) => usual === group)) return [hint, ...wakes];
    const [reader] = await query<{ user_id: string }>(MAILED, [tenantId, para, student_id, group]);
    if (!reader) return [hint, ...wakes];
    const mail: Mail = {
      id: derivedId(`mail/${id}`),
      kind: toldBy[para],
      tenantId,
      personId: student_id,
      subjectId: id,
    };
    if (para === 'aluno') {
      const [account] = await this.database.query<{ email: string }>(ADDRESS, [reader.user_id]);
      if (!account) return [hint, ...wakes];
      const about = { personId: student_id, addressHash: this.addresses.hashOf(account.email) };
      const wanted = { ...about, cause: 'trainer', thing: `notification/${id}` } as const;
      const isTaken = await takeMail(occasion, wanted, this.clock.now());
      if (!isTaken) return [hint, ...wakes];
      mail.addressHash = about.addressHash;
    }
    await this.outbox.put(query, mail);
    return [hint, ...wakes, () => this.outbox.wake(mail.id)];
  }
}

/** Visitors and jobs act as the tenant itself. */
async function causeOf({ tenantId, meta: { actor } }: StoredEvent, query: Query): Promise<Cause> {
  if (actor === tenantId) return 'nobody';
  const trainers = await query<{ user_id: string }>(TRAINER, [tenantId]);
  return trainers.some(({ user_id }) => user_id === actor) ? 'personal' : 'aluno';
}

/** Deletes or marks notifications. Returns the readers who had them. */
async function follow(
  noticed: Exclude<Noticed, { then: 'tell' }>,
  { tenantId, recordedAt }: StoredEvent,
  query: Query,
): Promise<Pick<Notice, 'para' | 'student_id'>[]> {
  switch (noticed.then) {
    case 'take back':
      return query(TAKE_BACK, [tenantId, noticed.tipo, noticed.subject_id]);
    case 'settle':
      return query(SETTLE, [tenantId, noticed.tipo, noticed.subject_id, recordedAt]);
    case 'reopen':
      return query(REOPEN, [tenantId, noticed.tipo, noticed.subject_id]);
    case 'forget':
      return query(FORGET, [tenantId, noticed.student_id, noticed.para ?? null]);
    case 'forget all':
      await query(FORGET_ALL, [tenantId]);
      return [];
  }
}

/** The same id for all events of one command, which have the same `recordedAt`. */
function idOf({ para, student_id, tipo }: Notice, { tenantId, meta, recordedAt }: StoredEvent): string {
  const command = `${tenantId}/${meta.request}/${recordedAt.getTime()}`;
  return derivedId(`notification/${command}/${para}/${student_id}/${tipo}`);
}

function valuesOf(id: string, notice: Notice, { tenantId, position, recordedAt }: StoredEvent): unknown[] {
  const { para, student_id, tipo, subject_id, inicio, antes, valor, dia } = notice;
  const facts = [para, student_id, tipo, subject_id, inicio, antes, valor, dia];
  return [tenantId, id, ...facts, position, recordedAt];
}
