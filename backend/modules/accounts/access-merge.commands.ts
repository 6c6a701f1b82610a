import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { Problem } from '../../platform/http/problem.js';
import type { HintBus } from '../../platform/realtime/hint-bus.js';
import { decideRevokeOwn, studentCalendar } from '../calendar-links/student-calendar.js';
import { JOIN, KEEP_ACCOUNT, LEAVE } from './invites.commands.js';
import { type Access, decideEndArea, studentAccess } from './student-access.js';

const areaOf = defineLookUp<{ token_hash: string }, [studentId: string]>(
  `select encode(token_hash, 'hex') as token_hash from area_links where tenant_id = $1 and student_id = $2`,
);
/** When the user `$4` became the student `$2`, or else `$3`, and as which payer. */
const joinedAt = defineLookUp<
  { desde: string; payer_id: string | null },
  [studentId: string, other: string, userId: string]
>(
  `select coalesce(data->>'desde', to_json(recorded_at)#>>'{}') as desde, data->>'payer_id' as payer_id
  from ${storedEvents({ InviteAccepted: [1], AccessTakenOver: [1] })} e
  where tenant_id = $1 and stream_id in ('student-access:' || $2::text, 'student-access:' || $3::text) and data->>'user_id' = $4
  order by data->>'student_id' = $2 desc, version desc limit 1`,
);

/** The student's access now. Invites are not part of it. */
export async function accessOf(tx: CommandTransaction, studentId: string): Promise<Access> {
  const [access, calendar, [link]] = await Promise.all([
    tx.load(studentAccess, studentId),
    tx.load(studentCalendar, studentId),
    tx.lookUp(areaOf, studentId),
  ]);
  const { user_id, area } = access;
  const isValid = area !== null && link !== undefined && Date.parse(area.expires_at) > tx.now.getTime();
  return {
    user_id,
    area: isValid ? { ...area, ...link } : null,
    calendario: calendar.current,
  };
}

/** Where the invite is cancelled by which somebody may still become the student; null without one. */
export async function openInviteOf(
  tx: CommandTransaction,
  studentId: string,
): Promise<'student' | 'payer' | null> {
  const { invites } = await tx.load(studentAccess, studentId);
  const open = invites.filter(({ expires_at }) => Date.parse(expires_at) > tx.now.getTime());
  if (open.length === 0) return null;
  return open.every(({ payer_id }) => payer_id !== undefined) ? 'payer' : 'student';
}

/** Gives each of two students the access that is named, in the caller's transaction; a user whom both have stays one. */
export async function setAccess(
  tx: CommandTransaction,
  wanted: ReadonlyMap<string, Access>,
  about: { juncao_id: string; desfaz: boolean },
  hints: HintBus,
): Promise<void> {
  const { tenantId } = tx.context;
  const before = new Map<string, Access>();
  for (const id of wanted.keys()) before.set(id, await accessOf(tx, id));
  // First all that is taken: an address or a link is one student's at a time.
  for (const [id, { user_id, area, calendario }] of before) {
    const to = wanted.get(id)!;
    if (area && area.link_id !== to.area?.link_id)
      tx.append(studentAccess, id, decideEndArea(await tx.load(studentAccess, id), id));
    if (calendario && calendario.feed_id !== to.calendario?.feed_id)
      tx.append(studentCalendar, id, decideRevokeOwn(await tx.load(studentCalendar, id), id));
    if (user_id === null || user_id === to.user_id) continue;
    tx.append(studentAccess, id, [{ type: 'StudentAccessEnded', data: { student_id: id, user_id } }]);
    tx.inTransaction((query) => query(LEAVE, [tenantId, user_id, id]));
    tx.afterCommit(() => hints.membershipEnded(tenantId, user_id));
  }
  for (const [id, { user_id, area, calendario }] of wanted) {
    const had = before.get(id)!;
    if (user_id !== null && user_id !== had.user_id) {
      const de = [...before].find(([, other]) => other.user_id === user_id)![0];
      const [since] = await tx.lookUp(joinedAt, id, de, user_id);
      const { desde, payer_id } = since!;
      const as = { user_id, desde, ...(payer_id !== null && { payer_id }) };
      tx.append(studentAccess, id, [
        { type: 'AccessTakenOver', data: { student_id: id, de, ...about, ...as } },
      ]);
      tx.inTransaction(async (query) => {
        const [account] = await query(KEEP_ACCOUNT, [user_id]);
        const joined = account ? await query(JOIN, [tenantId, user_id, id]) : [];
        if (joined.length === 0) throw new Problem('invites.already_member');
      });
      tx.afterCommit(() => hints.personChanged(user_id));
    }
    if (area && area.link_id !== had.area?.link_id)
      tx.append(studentAccess, id, [{ type: 'AreaLinkOpened', data: { student_id: id, ...area } }]);
    if (calendario && calendario.feed_id !== had.calendario?.feed_id)
      tx.append(studentCalendar, id, [
        { type: 'StudentCalendarRestored', data: { student_id: id, ...calendario } },
      ]);
  }
}
