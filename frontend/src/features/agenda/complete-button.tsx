import { TapButton } from '../../ui/tap-button.js';
import type { ShownSession } from './pending-session.js';
import { useSessionActions } from './use-session-actions.js';

/** Marks a session as done, in one tap. */
export function CompleteButton({ session }: { session: ShownSession }) {
  const { complete, busy } = useSessionActions(session);
  return (
    <TapButton
      icon="check"
      label={`Marcar como feita: ${session.student_nome ?? 'Aluno apagado'}`}
      busy={busy}
      onTap={complete}
    >
      Feita
    </TapButton>
  );
}
