import { VisuallyHidden } from '@mantine/core';
import { plural } from '../../../../backend/platform/plural.api.js';
import { type Reader, useUnread } from './notifications.queries.js';
import classes from './notifications.module.css';

/** Limit of the count. */
const MOST = 100;

/** Number of unread notifications, as a badge; with `dot`, only a dot. */
export default function UnreadMark({ reader, dot = false }: { reader: Reader; dot?: boolean }) {
  const total = useUnread(reader).data?.total ?? 0;
  if (total === 0) return null;
  if (dot) return <span className={classes.dot} aria-hidden />;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {total < MOST ? total : '99+'}
      </span>
      <VisuallyHidden component="span"> {plural(total, 'não lida', 'não lidas')}</VisuallyHidden>
    </>
  );
}
