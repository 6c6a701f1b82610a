import { VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { Icon } from '../../ui/icon.js';
import { preloadPage } from '../pages.js';
import classes from './bell.module.css';

/** Apart from the shell's chunk: nobody waits for the number. */
const UnreadCount = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../../features/notifications/unread-mark.js'))),
);

/** How many notifications were not read; a `dot` only says that there are any. It stands on what leads to them. */
export function UnreadMark(props: { reader: 'personal' | 'aluno'; dot?: boolean }) {
  return (
    <Suspense fallback={null}>
      <UnreadCount {...props} />
    </Suspense>
  );
}

interface BellProps extends Omit<ComponentProps<typeof Link>, 'to'> {
  reader: 'personal' | 'aluno';
  className: string;
  /** Of the word beside the icon; without it only who hears the page is told the word. */
  labelClass?: string;
}

/** The way to the notifications. */
export function Bell({ reader, className, labelClass, ...link }: BellProps) {
  const { pathname } = useLocation();
  const to = reader === 'aluno' ? '/aluno/notificacoes' : '/notificacoes';
  return (
    <Link
      to={to}
      className={`${classes.bell} ${className}`}
      aria-current={pathname === to ? 'page' : undefined}
      onPointerEnter={() => void preloadPage(to)}
      {...link}
    >
      <Icon name="bell" />
      {labelClass ? (
        <span className={labelClass}>Notificações</span>
      ) : (
        <VisuallyHidden component="span">Notificações</VisuallyHidden>
      )}
      <UnreadMark reader={reader} />
    </Link>
  );
}
