import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { isLocal } from '../../lib/outbox.js';
import { usePending } from '../../lib/pending.js';
import type { ChoiceField } from '../../ui/choice.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useCancelSession, useSession } from './agenda.queries.js';
import type { Names } from './booking-sheet.js';
import { CancelForm } from './cancel-form.js';
import { EditSessionForm } from './edit-session-form.js';
import { MoveForm } from './move-form.js';
import type { ShownSession } from './pending-session.js';
import { SessionDetail } from './session-detail.js';

interface SessionSheetProps {
  /** Open while there is one. */
  sessionId: string | null;
  onClose: () => void;
  /** Opens a session again, unless something else is open by now. */
  onReturn: (sessionId: string) => void;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
  names: Names;
  history: (sessionId: string) => ReactNode;
}

type Step = 'detail' | 'edit' | 'move' | 'cancel';

const titles: Record<Step, string> = {
  detail: 'Sessão',
  edit: 'Editar agendamento',
  move: 'Remarcar sessão',
  cancel: 'Cancelar sessão',
};

export function SessionSheet({ sessionId: asked, onClose, onReturn, ...props }: SessionSheetProps) {
  const writes = usePending((pending) => pending.writes);
  // What was booked without a network is gone under its name once it has arrived or was given up.
  const isGone = asked !== null && isLocal(asked) && !writes.some(({ subject }) => subject === asked);
  const sessionId = isGone ? null : asked;
  const [at, setAt] = useState<{ sessionId: string | null; step: Step }>({ sessionId: null, step: 'detail' });
  const step = at.sessionId === sessionId ? at.step : 'detail';

  const { mutateAsync: cancel } = useCancelSession();
  const [refused, setRefused] = useState<{ sessionId: string } | null>(null);
  const returnTo = useEffectEvent(onReturn);
  // An effect: whoever has left the page meanwhile is not brought back to it.
  useEffect(() => {
    if (refused) returnTo(refused.sessionId);
  }, [refused]);

  const takeBack = (id: string) => {
    setAt((current) => (current.sessionId === null ? { sessionId: id, step: 'cancel' } : current));
    setRefused({ sessionId: id });
  };

  /** The next time it begins with the session again. */
  const leave = () => {
    setAt({ sessionId: null, step: 'detail' });
    onClose();
  };

  return (
    <Sheet
      opened={sessionId !== null}
      onClose={leave}
      title={titles[step]}
      beginsAtField={(step === 'edit' || step === 'move') && 'typed'}
    >
      {sessionId !== null && (
        <Loaded
          sessionId={sessionId}
          step={step}
          onStep={(next) => setAt({ sessionId, step: next })}
          onClose={leave}
          cancel={cancel}
          onRefused={() => takeBack(sessionId)}
          {...props}
        />
      )}
    </Sheet>
  );
}

type LoadedProps = Omit<SessionSheetProps, 'sessionId' | 'onReturn'> & {
  sessionId: string;
  cancel: ReturnType<typeof useCancelSession>['mutateAsync'];
  onRefused: () => void;
  step: Step;
  onStep: (step: Step) => void;
};

function Loaded({
  sessionId,
  step,
  onStep,
  onClose,
  cancel,
  onRefused,
  StudentField,
  LocationField,
  names,
  history,
}: LoadedProps) {
  const show = (session: ShownSession) => {
    switch (step) {
      case 'detail':
        return (
          <SessionDetail
            session={session}
            history={!isLocal(session.id) && history(session.id)}
            onEdit={() => onStep('edit')}
            onMove={() => onStep('move')}
            onCancel={() => onStep('cancel')}
            onGone={onClose}
          />
        );
      case 'edit':
        return (
          <EditSessionForm
            session={session}
            onDone={() => onStep('detail')}
            StudentField={StudentField}
            LocationField={LocationField}
            names={names}
          />
        );
      case 'move':
        return <MoveForm session={session} onDone={onClose} onBack={() => onStep('detail')} />;
      case 'cancel':
        return (
          <CancelForm
            session={session}
            cancel={cancel}
            onSent={onClose}
            onRefused={onRefused}
            onBack={() => onStep('detail')}
          />
        );
    }
  };

  return (
    <Async of={useSession(sessionId)} skeleton={<Skeletons count={3} height={64} />}>
      {show}
    </Async>
  );
}
