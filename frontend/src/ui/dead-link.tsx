import type { ReactNode } from 'react';
import { Notice } from './notice.js';

interface DeadLinkProps {
  title?: string;
  action?: ReactNode;
  wholePage?: boolean;
}

/** For whoever was given a link that leads nowhere: over, replaced, or cut off on its way. */
export function DeadLink({ title = 'Link inválido ou expirado', action, wholePage = true }: DeadLinkProps) {
  return (
    <Notice icon="link" title={title} wholePage={wholePage} role="alert" action={action}>
      Confira se o link foi copiado inteiro ou peça outro ao seu personal.
    </Notice>
  );
}
