import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { SessionChanges } from '../../../../backend/modules/agenda/agenda.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { isLocal } from '../../lib/outbox.js';
import { usePending } from '../../lib/pending.js';
import { Sheet } from '../../ui/sheet.js';
import { useServiceChoices } from '../../parts/service-choices.js';
import { Async, Skeletons } from '../../ui/states.js';
import { addDays, dayOf, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { useCancelSession, useSession } from './agenda.queries.js';
import { CancelForm } from './cancel-form.js';
import { AddMembersForm } from './add-members-form.js';
import { EditSessionForm } from './edit-session-form.js';
import { GroupCancelForm } from './group-cancel-form.js';
import { GroupDetail } from './group-detail.js';
import { useGroup } from './groups.queries.js';
import { useSessionSending } from './conflict.js';
import type { ShownSession } from './pending-session.js';
import { TimesForm, useTimesForm } from './times-form.js';
import { useBookings } from './use-bookings.js';
import { asOne, isShared } from './shared-hours.js';
import { isMovable, MoveForm } from './move-form.js';
import { isUnanswered } from './next-session.js';
import { isInSeries } from './scope.js';
import { ScopeSheet } from './scope-sheet.js';
import { SessionDetail } from './session-detail.js';
import { stepTitles, type SessionStep } from './session-steps.js';
import { useStudentParts } from './student-parts.js';

const SeriesDaysForm = lazy(() => whenReachable(() => import('./series-days-form.js')));
const ClassForm = lazy(() => whenReachable(() => import('./class-form.js')));

interface SessionSheetProps {
  /** The sheet is open while this is set. */
  sessionId: string | null;
  /** The open step, kept in the address, so that a reload keeps it. */
  step: SessionStep;
  onStep: (step: SessionStep, sessionId?: string) => void;
  onClose: () => void;
  /** Opens a session's cancellation again, unless something else is open meanwhile. */
  onReturn: (sessionId: string, step: SessionStep) => void;
}

/** The step in the address; the details where it is no longer possible. */
const possible = (step: SessionStep, session: ShownSession): SessionStep =>
  isPossible(step, session) ? step : 'detail';

function isPossible(step: SessionStep, session: ShownSession): boolean {
  if (step === 'editar') return session.student_nome !== null && !isLocal(session.id);
  if (step === 'remarcar') return isMovable(session);
  if (step === 'dias') return isInSeries(session);
  if (step === 'turma') return isMovable(session);
  if (step === 'recusar') return isUnanswered(session);
  if (step === 'cancelar-todos') return Boolean(session.membros) && session.status === 'agendada';
  if (step === 'cancelar' || step === 'faltou') return session.status === 'agendada';
  return step === 'detail' || step === 'aluno' || !isLocal(session.id);
}

export function SessionSheet({
  sessionId: asked,
  step,
  onStep,
  onClose,
  onReturn,
  ...props
}: SessionSheetProps) {
  const writes = usePending((pending) => pending.writes);
  // A session booked offline loses its temporary id when it is sent or discarded.
  const isGone = asked !== null && isLocal(asked) && !writes.some(({ subject }) => subject === asked);
  const sessionId = isGone ? null : asked;
  const { mutateAsync: cancel } = useCancelSession();
  const [refused, setRefused] = useState<{ sessionId: string; step: SessionStep } | null>(null);
  const returnTo = useEffectEvent(onReturn);
  // In an effect, so that it does not navigate back after the user has left the page.
  useEffect(() => {
    if (refused) returnTo(refused.sessionId, refused.step);
  }, [refused]);

  return (
    <>
      <Sheet
        opened={sessionId !== null}
        onClose={onClose}
        title={stepTitles[step]}
        beginsAtField={(step === 'editar' || step === 'remarcar') && 'typed'}
      >
        {sessionId !== null && (
          <Loaded
            sessionId={sessionId}
            step={step}
            onStep={onStep}
            onClose={onClose}
            cancel={cancel}
            onRefused={(step) => setRefused({ sessionId, step })}
            {...props}
          />
        )}
      </Sheet>
      <ScopeSheet />
    </>
  );
}

/** The steps that are about one session also where it is part of a group. */
const ofOne: ReadonlySet<SessionStep> = new Set(['aluno', 'editar', 'cancelar', 'faltou', 'recusar']);

type LoadedProps = Omit<SessionSheetProps, 'sessionId' | 'onReturn'> & {
  sessionId: string;
  cancel: ReturnType<typeof useCancelSession>['mutateAsync'];
  onRefused: (step: SessionStep) => void;
};

function Loaded({ sessionId, step, onStep, onClose, cancel, onRefused }: LoadedProps) {
  const { DeclineVisit } = useStudentParts();
  // While a session is deleted and its sheet closes, the server is not asked for it.
  const [leavingId, setLeavingId] = useState<string | null>(null);
  const show = (session: ShownSession) => {
    const { grupo_id } = session;
    if (grupo_id === null || ofOne.has(step)) return showOne(session);
    return (
      <WholeHour session={session} grupoId={grupo_id}>
        {(hour) => (hour.membros && possible(step, hour) === 'detail' ? showGroup(hour) : showOne(hour))}
      </WholeHour>
    );
  };
  const showGroup = (hour: ShownSession) => (
    <GroupDetail hour={hour} onMember={(id) => onStep('aluno', id)} onStep={onStep} />
  );
  const back = () => onStep('detail');
  const showOne = (session: ShownSession) => {
    switch (possible(step, session)) {
      case 'detail':
      case 'aluno':
        return (
          <SessionDetail
            session={session}
            onStep={onStep}
            onLeaving={(is) => setLeavingId(is ? session.id : null)}
            onGone={onClose}
            isMember={step === 'aluno'}
          />
        );
      case 'editar':
        return <EditSessionForm session={session} onDone={back} />;
      case 'remarcar':
        return <MoveForm session={session} onDone={back} onBack={back} />;
      case 'adicionar':
        return <AddMembersForm session={session} onDone={back} onBack={back} />;
      case 'repetir':
        return <RepeatForm session={session} onDone={onClose} onBack={back} />;
      case 'dias':
        return (
          <Suspense fallback={<Skeletons count={2} height={56} />}>
            <SeriesDaysForm session={session} onDone={onClose} onBack={back} />
          </Suspense>
        );
      case 'turma':
        return (
          <Suspense fallback={<Skeletons count={3} height={56} />}>
            <ClassForm session={session} onDone={back} onBack={back} />
          </Suspense>
        );
      case 'cancelar-todos':
        return <GroupCancelForm hour={session} onDone={back} onBack={back} />;
      case 'recusar':
        return (
          <Suspense fallback={<Skeletons count={2} height={56} />}>
            <DeclineVisit sessionId={session.id} onBack={back} />
          </Suspense>
        );
      case 'cancelar':
      case 'faltou':
        return (
          <CancelForm
            key={step}
            session={session}
            missed={step === 'faltou'}
            cancel={cancel}
            onSent={back}
            onRefused={() => onRefused(step)}
            onBack={back}
          />
        );
    }
  };

  return (
    <Async of={useSession(sessionId, leavingId === sessionId)} skeleton={<Skeletons count={3} height={64} />}>
      {show}
    </Async>
  );
}

interface WholeHourProps {
  session: ShownSession;
  grupoId: string;
  children: (hour: ShownSession) => ReactNode;
}

/** A session with the others of its hour. */
function WholeHour({ session, grupoId, children }: WholeHourProps) {
  const group = useGroup(grupoId);
  const { inicio } = session;
  return (
    <Async of={group} skeleton={<Skeletons count={3} height={64} />}>
      {(sessions) => {
        const ofHour = sessions.filter((one) => one.inicio === inicio);
        return children(isShared(ofHour) ? asOne(ofHour) : session);
      }}
    </Async>
  );
}

interface RepeatFormProps {
  session: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

/** Books the same hour again for all its students, by default a week later. */
function RepeatForm({ session, onDone, onBack }: RepeatFormProps) {
  const zone = useZone();
  const { bookOne, bookGroup } = useBookings();
  const services = useServiceChoices();
  const form = useTimesForm(session, {
    data: addDays(dayOf(session.inicio, zone), 7),
    inicio: timeOf(session.inicio, zone),
    fim: timeOf(session.fim, zone),
  });

  const send = async ({ inicio, fim, permitir_conflito }: SessionChanges) => {
    if (!inicio || !fim) return;
    const { location_id, membros = [session] } = session;
    const coming = membros.filter(({ status }) => status !== 'cancelada');
    const student_ids = (coming.length > 0 ? coming : membros).map(({ student_id }) => student_id);
    const [student_id = session.student_id, ...others] = student_ids;
    // It may be offered no more.
    const service_id = services.data?.items.find(({ id }) => id === session.servico?.id)?.id ?? null;
    const booking = { inicio, fim, location_id, service_id, ...(permitir_conflito && { permitir_conflito }) };
    await (others.length > 0 ? bookGroup({ ...booking, student_ids }) : bookOne({ ...booking, student_id }));
    onDone();
  };
  const sending = useSessionSending(form, { send, failure: 'Erro ao criar agendamento' });

  return <TimesForm form={form} sending={sending} submit="Agendar" onBack={onBack} />;
}
