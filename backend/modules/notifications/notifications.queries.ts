import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import { Database } from '../../platform/database/database.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { type Told, wordsOf } from './notice.words.js';
import type { NotificationList, NotificationPage, UnreadCount } from './notifications.api.js';

/** Limit of the count of unread notifications. */
const MOST_UNREAD = 100;

export class ListNotifications extends Query<NotificationPage> {
  constructor(
    readonly context: RequestContext,
    readonly list: NotificationList,
  ) {
    super();
  }
}

const place = z.tuple([instant, id]);

@QueryHandler(ListNotifications)
export class ListNotificationsHandler implements IQueryHandler<ListNotifications> {
  constructor(private readonly database: Database) {}

  async execute({ context, list }: ListNotifications): Promise<NotificationPage> {
    const { tenantId, timezone } = context;
    const { limit, cursor } = list;
    const [before, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { student_id: context.studentId ?? undefined, before, last, limit: limit + 1 };
    const rows = await this.database.read(tenantId, latest(asked));
    const items = rows.slice(0, limit).map(({ id, em, lida_em, ...told }) => ({
      ...{ id, ...wordsOf(told as Told, timezone) },
      ...{ em: em.toISOString(), lida: lida_em !== null },
    }));
    const end = items.at(-1);
    return { items, next: rows.length > limit && end ? encodeCursor([end.em, end.id]) : null };
  }
}

export class CountUnread extends Query<UnreadCount> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(CountUnread)
export class CountUnreadHandler implements IQueryHandler<CountUnread> {
  constructor(private readonly database: Database) {}

  async execute({ context }: CountUnread): Promise<UnreadCount> {
    const asked = { student_id: context.studentId ?? undefined, most: MOST_UNREAD };
    const [row] = await this.database.read(context.tenantId, unread(asked));
    return row!;
  }
}

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
        .where('n.student_id', '=', student_id);

const latest = statement((db, { student_id, before, last, limit }: Blanks<Asked>) =>
  own(db, student_id)
    .leftJoin('students as s', (join) =>
      join.onRef('s.tenant_id', '=', 'n.tenant_id').onRef('s.id', '=', 'n.student_id'),
    )
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

const unread = statement((db, { student_id, most }: Blanks<Whose & { most: number }>) =>
  db
    .selectFrom(own(db, student_id).where('n.lida_em', 'is', null).select('n.id').limit(most).as('unread'))
    .select(sql<number>`count(*)::int`.as('total'))
    .compile(),
);
