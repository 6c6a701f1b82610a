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
}

/** Confirms the visitor's booking of a session. */
export function ConfirmVisit({ sessionId, otherwise }: ConfirmVisitProps) {
  const visits = useVisits();
  const visit = visits.data?.items.find(
    ({ session_id, confirmado }) => session_id === sessionId && !confirmado,
  );
  if (visits.isPending) return null;
  return visit ? <Confirm visit={visit} /> : otherwise;
}

function Confirm({ visit }: { visit: Visit }) {
  const { confirm, isConfirming } = useConfirmation(visit);
  return (
    <Button loading={isConfirming} onClick={confirm} leftSection={<Icon name="check" />}>
      Confirmar reserva
    </Button>
  );
}
