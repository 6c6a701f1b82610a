import { Button, Menu } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { formatLongDay, dayOf, formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { useNow, useToday, useZone } from '../../lib/zone.js';
import { costInWords } from '../../../../backend/modules/agenda/cancellation.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { Balance } from '../../parts/balance.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Row } from '../../ui/row.js';
import { SheetActions, SheetTitle } from '../../ui/sheet.js';
import { TapButton } from '../../ui/tap-button.js';
import { attempt, toast } from '../../ui/toast.js';
import { useCancellationPreview, useCancelSession } from './agenda.queries.js';
import { useClass } from './groups.queries.js';
import { CompleteButton } from './complete-button.js';
import { MainButton } from './main-button.js';
import { isMovable } from './move-form.js';
import { isUnanswered } from './next-session.js';
import { sessionTitle, type ShownSession } from './pending-session.js';
import { headingOf } from './session-detail.js';
import classes from './session-detail.module.css';
import type { SessionStep } from './session-steps.js';
import { isInSeries } from './scope.js';
import { SeriesFact } from './series-fact.js';
import { StatusMark, whatAndWhere } from './session-status.js';
import { calledBy } from './shared-hours.js';
import { useStudentParts } from './student-parts.js';
import { useSessionActions } from './use-session-actions.js';
import { takesCredit } from './credit-words.js';

interface GroupDetailProps {
  /** The hour as one session, with all its sessions in `membros`. */
  hour: ShownSession;
  onMember: (sessionId: string) => void;
  onStep: (step: SessionStep) => void;
}

/** The sheet of a group's hour: each student with balance and the status of the session. */
export function GroupDetail({ hour, onMember, onStep }: GroupDetailProps) {
  const zone = useZone();
  const today = useToday();
  const now = useNow();
  const { complete, reopenAll, busy } = useSessionActions(hour);
  const day = dayOf(hour.inicio, zone);
  const { membros = [], turma } = hour;
  const hasBegun = Date.parse(hour.inicio) <= now;
  const takesSeats = turma && !hasBegun && hour.status !== 'cancelada';
  const free =
    turma && Math.max(0, turma.vagas - membros.filter(({ status }) => status !== 'cancelada').length);
  const times = `${formatTime(timeOf(hour.inicio, zone))}–${formatTime(timeOf(hour.fim, zone))}`;
  // Of a cancelled hour, what the trainer cancelled; who asked to be left out stays so.
  const closed = membros
    .filter(
      ({ status, motivo }) => status === 'feita' || (hour.status === 'cancelada' && motivo === 'personal'),
    )
    .map(({ id }) => id);
  const de = hour.status === 'feita' ? 'feita' : 'cancelada';
  const isDue = day <= today;
  // Where adding somebody is the main button.
  const isAddFirst = hour.status === 'agendada' && !isDue && !membros.some(isUnanswered);
  return (
    <div className={classes.detail}>
      <SheetTitle of={headingOf(hour, zone)} />
      <p className={classes.when} title={formatLongDay(day)}>
        {[times, whatAndWhere(hour)].filter(Boolean).join(' · ')}
      </p>
      <Facts
        of={[
          [
            'Vagas',
            takesSeats && (free ? `${plural(free, 'livre', 'livres')} de ${turma.vagas}` : 'Turma lotada'),
          ],
          ['Fila', takesSeats && <Queue key="fila" sessionId={hour.id} />],
          ['Repete', hour.serie_id && <SeriesFact key="serie" {...hour} />],
        ]}
      />
      <Card flush>
        {membros.map((member) => {
          const shown = { member, isDue, onOpen: () => onMember(member.id) };
          const isOpen = hasBegun && member.status === 'agendada';
          return isOpen ? <Attending key={member.id} {...shown} /> : <Member key={member.id} {...shown} />;
        })}
      </Card>
      <IconActions>
        {isMovable(hour) && (
          <IconAction icon="clock" onClick={() => onStep('remarcar')}>
            Remarcar
          </IconAction>
        )}
        {hour.status !== 'cancelada' && !isAddFirst && (
          <IconAction icon="plus" onClick={() => onStep('adicionar')}>
            Adicionar aluno
          </IconAction>
        )}
        <IconAction icon="renew" onClick={() => onStep('repetir')}>
          Repetir
        </IconAction>
        {hour.status === 'agendada' && (
          <IconAction icon="close" onClick={() => onStep('cancelar-todos')}>
            Cancelar
          </IconAction>
        )}
      </IconActions>
      <SheetActions>
        {((isMovable(hour) && !hasBegun) || isInSeries(hour)) && (
          <MoreMenu>
            {isMovable(hour) && !hasBegun && (
              <Menu.Item leftSection={<Icon name="people" size={18} />} onClick={() => onStep('turma')}>
                {turma ? 'Vagas e mínimo' : 'Abrir para alunos'}
              </Menu.Item>
            )}
            {isInSeries(hour) && (
              <Menu.Item leftSection={<Icon name="calendar" size={18} />} onClick={() => onStep('dias')}>
                Mudar dias
              </Menu.Item>
            )}
          </MoreMenu>
        )}
        <MainButton
          sessions={membros}
          isDue={isDue}
          busy={busy}
          onComplete={complete}
          ahead={
            <Button onClick={() => onStep('adicionar')} leftSection={<Icon name="plus" size={18} />}>
              Adicionar aluno
            </Button>
          }
          otherwise={
            hour.status !== 'agendada' &&
            closed.length > 0 && (
              <UndoButton
                variant="default"
                loading={busy}
                what="Reabrir sessões"
                of={closed.join()}
                price={(signal) =>
                  read('GET /sessions/groups/:id/reopen/preview', {
                    of: [hour.grupo_id!],
                    query: { session_ids: closed.join(), de },
                    signal,
                  })
                }
                onUndo={() => reopenAll(closed, de)}
              />
            )
          }
        />
      </SheetActions>
    </div>
  );
}

/** Who waits for a seat, in turn. */
function Queue({ sessionId }: { sessionId: string }) {
  const zone = useZone();
  const { data } = useClass(sessionId);
  if (!data) return <>…</>;
  if (data.fila.length === 0) return <>Ninguém</>;
  return data.fila.map(({ student_id, nome, ate }, place) => (
    <Fragment key={student_id}>
      {place > 0 && ', '}
      <Link to={`/alunos/${student_id}`}>{calledBy(nome)}</Link>
      {ate && ` (vaga até ${formatMoment(ate, zone)})`}
    </Fragment>
  ));
}

interface MemberProps {
  member: ShownSession;
  isDue: boolean;
  onOpen: () => void;
  /** Of one who may still be marked as missing. */
  missed?: ReturnType<typeof useMissed>;
}

/** Who came and who did not is one tap each, with what a no-show costs beside the name. */
const Attending = (props: MemberProps) => <Member {...props} missed={useMissed(props.member)} />;

function Member({ member, isDue, onOpen, missed }: MemberProps) {
  const { RequestMark } = useStudentParts();
  const name = member.student_nome ?? 'Aluno apagado';
  return (
    <Row
      lead={<StatusMark status={member.status} />}
      title={name}
      facts={
        <>
          {missed ? `Falta ${missed.cost}` : stateOf(member)} <RequestMark sessionIds={[member.id]} />
        </>
      }
      muted={member.status === 'cancelada'}
      onClick={onOpen}
      actions={
        <>
          {!missed && takesCredit(member) && <Balance studentId={member.student_id} />}
          {member.status === 'agendada' && isDue && <CompleteButton session={member} />}
          {missed && (
            <TapButton
              icon="close"
              label={`Marcar falta: ${name}, ${missed.cost}`}
              busy={missed.busy}
              onTap={() => void missed.mark()}
            >
              Faltou
            </TapButton>
          )}
        </>
      }
    />
  );
}

/** What a no-show of a session that has begun costs, in words, and what marks it with that cost. Undefined until the cost is known. */
function useMissed(session: ShownSession) {
  const zone = useZone();
  const { data } = useCancellationPreview(session.id, 'falta');
  const cancellation = useCancelSession();
  const { uncancel } = useSessionActions(session);
  if (!data?.permitido) return undefined;
  const { previsto, tem_custo } = data;
  const mark = () =>
    attempt(async () => {
      const body = { motivo: 'falta' as const, previsto, ...(tem_custo && { aplicar_politica: true }) };
      const outcome = await cancellation.mutateAsync({
        id: session.id,
        title: sessionTitle(session, zone),
        body,
      });
      toast.success('Falta marcada', {
        description:
          'queued' in outcome
            ? WILL_BE_SENT
            : `${session.student_nome ?? 'Aluno apagado'}: ${costInWords(outcome, false, 'done', formatMoney)}.`,
        undo: uncancel,
        undone: 'Falta desfeita',
      });
    }, 'Erro ao marcar a falta');
  return { cost: costInWords(previsto, false, 'announced', formatMoney), mark, busy: cancellation.isPending };
}

function stateOf({ status, motivo, usou_credito, sem_credito }: ShownSession): string {
  if (status === 'agendada') return 'Agendada';
  if (status === 'cancelada') return motivo === 'falta' ? 'Faltou' : 'Cancelada';
  if (sem_credito) return 'Realizada, sem crédito';
  return usou_credito ? 'Realizada, descontou 1 crédito' : 'Realizada';
}
