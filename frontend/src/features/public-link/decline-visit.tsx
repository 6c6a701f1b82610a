import { Button } from '@mantine/core';
import { Notice } from '../../ui/notice.js';
import { Async, Skeletons } from '../../ui/states.js';
import { DeclineForm } from './decline-form.js';
import { useVisits } from './public-link.queries.js';

interface DeclineVisitProps {
  sessionId: string;
  onBack: () => void;
}

/** Declines the visitor's booking of a session. */
export default function DeclineVisit({ sessionId, onBack }: DeclineVisitProps) {
  return (
    <Async of={useVisits()} skeleton={<Skeletons count={2} height={56} />}>
      {({ items }) => {
        const visit = items.find(({ session_id, confirmado }) => session_id === sessionId && !confirmado);
        return visit ? (
          <DeclineForm visit={visit} onBack={onBack} />
        ) : (
          <Notice
            icon="check"
            title="Esta reserva não espera mais resposta"
            action={
              <Button variant="light" onClick={onBack}>
                Voltar
              </Button>
            }
          />
        );
      }}
    </Async>
  );
}
