import type { ReactNode } from 'react';
import { Notice } from './notice.js';

interface DeadLinkProps {
  title?: string;
  action?: ReactNode;
  wholePage?: boolean;
}

/** Shown for a link that leads nowhere: expired, replaced or incomplete. */
export function DeadLink({ title = 'Link inválido ou expirado', action, wholePage = true }: DeadLinkProps) {
  return (
    <Notice icon="link" title={title} wholePage={wholePage} role="alert" action={action}>
      Confira se o link foi copiado inteiro ou peça outro ao seu personal.
    </Notice>
  );
}
