import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { type ZoneName, zoneNames } from '../settings/settings.api.js';
import type { SwitchedOff } from './letters.api.js';
import {
  groupsOf,
  type LetterKind,
  letterKinds,
  type NoticeGroup,
  type NotificationSettings,
  usualMails,
} from './notification-settings.api.js';

export const ShowNotificationSettings = defineQuery(
  'ShowNotificationSettings',
  async ({ context, read }): Promise<NotificationSettings> => {
    const { userId: user_id, studentId } = context;
    const [[row], taps] = await Promise.all([
      read(settingsOf({ user_id })),
      studentId === null ? [] : read(tapsOf({ studentId })),
    ]);
    return shownSettings(context, row, taps);
  },
);

/** A user's saved settings. */
export interface SavedSettings {
  push: string[];
  email: string[];
  silencio_de: string | null;
  silencio_ate: string | null;
  zona: string;
  desligados: string[];
}

/** `taps`: kinds of mails that the student has switched off by a link in one. */
export function shownSettings(
  { role, timezone }: RequestContext,
  saved: SavedSettings | undefined,
  taps: readonly { kind: string }[],
): NotificationSettings {
  const off = taps.map(({ kind }) => kind);
  const wanted = (email: readonly string[]) => email.filter((group) => !off.includes(group)) as NoticeGroup[];
  const unwanted = (letters: readonly string[]) =>
    letterKinds.filter((kind) => letters.includes(kind) || off.includes(kind));
  if (!saved)
    return {
      push: [...groupsOf[role]],
      email: wanted(usualMails[role]),
      silencio: null,
      desligados: unwanted([]),
      zona: timezone in zoneNames ? (timezone as ZoneName) : 'America/Sao_Paulo',
    };
  const { push, email, silencio_de: de, silencio_ate: ate, zona, desligados } = saved;
  return {
    push: push as NoticeGroup[],
    email: wanted(email),
    zona: zona as ZoneName,
    desligados: unwanted(desligados),
    silencio: de === null || ate === null ? null : { de, ate },
  };
}

const settingsOf = statement((db, { user_id }: Blanks<{ user_id: string }>) =>
  db
    .selectFrom('notification_settings')
    .select(['push', 'email', 'silencio_de', 'silencio_ate', 'zona', 'desligados'])
    .where('user_id', '=', user_id)
    .compile(),
);

const tapsOf = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('letters_off').select('kind').where('student_id', '=', studentId).compile(),
);

/** A row if the student has switched off mails that are sent by default. */
export const mailSwitchedOff = statement(
  (db, { student_id, group }: Blanks<{ student_id: string; group: NoticeGroup & SwitchedOff }>) =>
    db
      .selectFrom('memberships as m')
      .innerJoin('notification_settings as c', (join) => sameTenant(join, 'c.user_id', 'm.user_id'))
      .select('m.student_id')
      .where('m.student_id', '=', student_id)
      .where(sql<boolean>`not (${group}::text = any(c.email))`)
      .unionAll(
        db
          .selectFrom('letters_off as o')
          .select('o.student_id')
          .where('o.student_id', '=', student_id)
          .where('o.kind', '=', group),
      )
      .compile(),
);

/** Whether a person does not want mails of a kind. `of`: the row that has the tenant. */
export const letterSwitchedOffBy = (person: RawBuilder<string>, of: string, kind: LetterKind) =>
  sql<boolean>`(exists (select from memberships as reader
    join notification_settings as wish on wish.tenant_id = reader.tenant_id and wish.user_id = reader.user_id
    where reader.student_id = ${person} and ${sql.lit(kind)} = any(wish.desligados))
    or exists (select from letters_off as tap where tap.tenant_id = ${sql.ref(`${of}.tenant_id`)}
      and tap.student_id = ${person} and tap.kind = ${sql.lit(kind)}))`;

/** The same for a student; `student` names the column with the id. */
export const letterSwitchedOff = (student: string, kind: LetterKind) =>
  letterSwitchedOffBy(sql.ref<string>(student), student.replace(/\.[^.]+$/, ''), kind);
