import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { Icon } from '../../ui/icon.js';
import { useVisits } from './public-link.queries.js';
import { useConfirmation } from './use-confirmation.js';

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
  return visit ? <Confirm visit={visit}>{children}</Confirm> : otherwise;
}

function Confirm({ visit, children }: { visit: Visit; children: string }) {
  const { confirm, isConfirming } = useConfirmation(visit);
  return (
    <Button loading={isConfirming} onClick={confirm} leftSection={<Icon name="check" />}>
      {children}
    </Button>
  );
}
