import { VisuallyHidden } from '@mantine/core';
import { plural } from '../../../../backend/platform/plural.api.js';
import { type Reader, useUnread } from './notifications.queries.js';
import classes from './notifications.module.css';

/** As far as they are counted. */
const MOST = 100;

/** How many notifications were not read, on what leads to them; a `dot` only says that there are any. */
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
