import { type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { isOneOfSeveral } from '../accounts/siblings.queries.js';
import { type Told, wordsOf } from './notice.words.js';
import type { NotificationList, NotificationPage, UnreadCount } from './notifications.api.js';

/** Limit of the count of unread notifications. */
const MOST_UNREAD = 100;

const place = z.tuple([instant, id]);

export const ListNotifications = defineQuery(
  'ListNotifications',
  async ({ context, read }, list: NotificationList): Promise<NotificationPage> => {
    const { timezone } = context;
    const { limit, cursor } = list;
    const [before, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { student_id: context.studentId ?? undefined, before, last, limit: limit + 1 };
    const rows = await read(latest(asked));
    const items = rows.slice(0, limit).map(({ id, em, lida_em, ...told }) => ({
      id,
      ...wordsOf(told as Told, timezone),
      em: em.toISOString(),
      lida: lida_em !== null,
    }));
    const end = items.at(-1);
    return { items, next: rows.length > limit && end ? encodeCursor([end.em, end.id]) : null };
  },
);

export const CountUnread = defineQuery('CountUnread', async ({ context, read }): Promise<UnreadCount> => {
  const [row] = await read(unreadOf(context.studentId));
  return row!;
});

/** The name of a notification's student `s` where its reader `m` is several students of the trainer. */
export const oneOfSeveral = sql<
  string | null
>`case when n.para = 'aluno' and ${isOneOfSeveral} then s.nome end`;

interface Whose {
  /** Undefined: the trainer's. */
  student_id?: string | undefined;
}

interface Asked extends Whose {
  /** Last row of the previous page. */
  before?: string | undefined;
  last?: string | undefined;
  limit: number;
}

const own = (db: Kysely<DB>, student_id: Blanks<Whose>['student_id']) =>
  student_id === undefined
    ? db.selectFrom('notifications as n').where('n.para', '=', 'personal')
    : db
        .selectFrom('notifications as n')
        .where('n.para', '=', 'aluno')
        .where(sql<boolean>`n.student_id in (select same_student(${student_id}))`);

/** What the student `s` told and the trainer is still to answer, or answered, where the notification is about that. */
const told = sql<string | null>`(select case n.tipo
    when 'respondeu_whatsapp' then (select a.texto from whatsapp_answers a where a.tenant_id = n.tenant_id and a.id = n.subject_id)
    when 'mudou_whatsapp' then case when c.whatsapp_aberto then nullif(c.whatsapp, coalesce(s.whatsapp, s.telefone)) end
    when 'mudou_nome' then case when c.nome_aberto then nullif(c.nome, s.nome) end end
  from (select 1) one left join told_contacts c on c.tenant_id = n.tenant_id and c.id = n.student_id)`;

const latest = statement((db, { student_id, before, last, limit }: Blanks<Asked>) =>
  own(db, student_id)
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'n.student_id'))
    .select(told.as('informado'))
    .select(['n.id', 'n.tipo', 'n.subject_id', 'n.student_id', 's.nome', 'n.quantidade'])
    .select(['n.inicio', 'n.antes', 'n.valor', 'n.dia', 'n.em', 'n.lida_em'])
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(n.em, n.id) < (${before!}::timestamptz, ${last!}::uuid)`),
    )
    .orderBy('n.em', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .compile(),
);

/** Counts the unread ones of a student, or with null of the trainer. */
export const unreadOf = (studentId: string | null) =>
  unread({ student_id: studentId ?? undefined, most: MOST_UNREAD });

const unread = statement((db, { student_id, most }: Blanks<Whose & { most: number }>) =>
  db
    .selectFrom(own(db, student_id).where('n.lida_em', 'is', null).select('n.id').limit(most).as('unread'))
    .select(sql<number>`count(*)::int`.as('total'))
    .compile(),
);
