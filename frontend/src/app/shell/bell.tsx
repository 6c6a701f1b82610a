import { VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { Icon } from '../../ui/icon.js';
import { preloadPage } from '../pages.js';

/** Loaded apart from the shell's chunk, since the count is not urgent. */
const UnreadCount = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../../features/notifications/unread-mark.js'))),
);

/** Number of unread notifications, on the link to them; with `dot` only a mark that there are any. */
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
  /** Class of the label beside the icon; without it the label is for screen readers only. */
  labelClass?: string;
}

/** The link to the notifications. */
export function Bell({ reader, className, labelClass, ...link }: BellProps) {
  const { pathname } = useLocation();
  const to = reader === 'aluno' ? '/aluno/notificacoes' : '/notificacoes';
  return (
    <Link
      to={to}
      className={className}
      style={{ position: 'relative' }}
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
