import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.js';
import { ConfirmButton } from './confirm-button.js';
import { useVisits } from './public-link.queries.js';

interface ConfirmVisitProps {
  sessionId: string;
  /** Shown where no visitor waits for an answer. */
  otherwise: ReactNode;
  /** What the button says. */
  children: string;
}

/** Confirms the visitor's booking of a session. */
export default function ConfirmVisit({ sessionId, otherwise, children }: ConfirmVisitProps) {
  const visits = useVisits();
  const visit = visits.data?.items.find(
    ({ session_id, confirmado }) => session_id === sessionId && !confirmado,
  );
  if (visits.isPending) return <Button loading>{children}</Button>;
  return visit ? (
    <ConfirmButton visit={visit} icon={<Icon name="check" />}>
      {children}
    </ConfirmButton>
  ) : (
    otherwise
  );
}
