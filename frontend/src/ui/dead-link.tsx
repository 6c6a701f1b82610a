import type { ReactNode } from 'react';
import { Notice } from './notice.js';

/** For whoever was given a link that leads nowhere: over, replaced, or cut off on its way. */
export function DeadLink({
  title = 'Link inválido ou expirado',
  action,
}: {
  title?: string;
  action?: ReactNode;
}) {
  return (
    <Notice icon="link" title={title} wholePage role="alert" action={action}>
      Confira se o link foi copiado inteiro ou peça outro ao seu personal.
    </Notice>
  );
}
