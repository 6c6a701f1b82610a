import { VisuallyHidden } from '@mantine/core';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSignedIn } from '../../lib/me.js';
import { CountBadge } from '../../ui/count-badge.js';
import { type Reader, useUnread, useUnreadElsewhere } from './notifications.queries.js';
import classes from './notifications.module.css';

/** Limit of the count. */
const MOST = 100;

/** Number of unread notifications, as a badge; only a dot with `dot`, and where they are in another account of the user. */
export default function UnreadMark({ reader, dot = false }: { reader: Reader; dot?: boolean }) {
  const total = useUnread(reader).data?.total ?? 0;
  const unreadOf = useUnreadElsewhere();
  const isElsewhere = useSignedIn().memberships.some((each) => unreadOf(each) > 0);
  if (total === 0)
    return (
      isElsewhere && (
        <>
          <span className={classes.dot} aria-hidden />
          <VisuallyHidden component="span"> não lidas em outra conta</VisuallyHidden>
        </>
      )
    );
  if (dot) return <span className={classes.dot} aria-hidden />;
  return (
    <>
      <span className={classes.count}>
        <CountBadge of={total < MOST ? total : '99+'} />
      </span>
      <VisuallyHidden component="span"> {plural(total, 'não lida', 'não lidas')}</VisuallyHidden>
    </>
  );
}
