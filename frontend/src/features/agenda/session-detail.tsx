import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDay, formatLongDay, formatTime, timeOf } from '../../lib/dates.js';
import { isLocal } from '../../lib/outbox.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { SheetAction } from '../../ui/sheet-action.js';
import { SheetActions } from '../../ui/sheet.js';
import classes from './session-detail.module.css';
import type { ShownSession } from './pending-session.js';
import { isMovable } from './move-form.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { saveSeriesFile, saveSessionFile } from './session-file.js';
import { isInSeries } from './scope.js';
import { SeriesFact } from './series-fact.js';
import { reasons, StatusTag } from './session-status.js';
import { sessionMessage } from './session-message.js';
import { isOwed } from './status-change.js';
import { useStudentParts } from './student-parts.js';
import { useSessionActions } from './use-session-actions.js';

interface SessionDetailProps {
  session: ShownSession;
  history: ReactNode;
  onEdit: () => void;
  onMove: () => void;
  onCancel: () => void;
  onAdd: () => void;
  onRepeat: () => void;
  onDays: () => void;
  /** The session is part of a group, whose actions are in the group's sheet. */
  isMember: boolean;
  /** Whether the session is being deleted. */
  onLeaving: (is: boolean) => void;
  onGone: () => void;
}

export function SessionDetail({ session, history, isMember, ...on }: SessionDetailProps) {
  const { onEdit, onMove, onCancel, onAdd, onRepeat, onDays, onLeaving, onGone } = on;
  const zone = useZone();
  const today = useToday();
  const { complete, reopen, remove, busy } = useSessionActions(session);
  const { Balance, WhatsApp, SessionCharge } = useStudentParts();
  const day = dayOf(session.inicio, zone);
  const times = `${formatTime(timeOf(session.inicio, zone))}–${formatTime(timeOf(session.fim, zone))}`;

  const isOwn = !isMember && !isLocal(session.id) && session.student_nome !== null;

  const removeAndLeave = async () => {
    onLeaving(true);
    if (await remove()) onGone();
    else onLeaving(false);
  };

  return (
    <div className={classes.detail}>
      <div>
        <div className={classes.head}>
          <Link to={`/alunos/${session.student_id}`} className={classes.name}>
            {session.student_nome ?? 'Aluno apagado'}
          </Link>
          <StatusTag status={session.status} />
        </div>
        {session.student_nome !== null && !isLocal(session.id) && <Balance studentId={session.student_id} />}
        {session.pendente && <PendingMark />}
        <p className={classes.when} title={formatLongDay(day)}>
          {formatDay(day, today)}, {times}
        </p>
      </div>
      <Facts
        of={[
          ['Reserva', isUnanswered(session) && <ToAnswer key="reserva" />],
          ['Repete', session.serie_id && <SeriesFact key="serie" {...session} />],
          ['Local', session.location_nome ?? (session.location_id ? 'Local não encontrado' : null)],
          ['Observações', session.observacoes],
          ['Motivo', session.motivo && reasons[session.motivo]],
          ['Crédito', creditFact(session)],
          ['Valor da sessão', session.valor !== null && <Money key="valor" cents={session.valor} />],
          ['Taxa de cancelamento', session.taxa > 0 && <Money key="taxa" cents={session.taxa} />],
        ]}
      />
      {isOwed(session) && <SessionCharge session={session} />}
      <div className={classes.actions}>
        {session.student_nome !== null && !isLocal(session.id) && (
          <SheetAction icon="edit" onClick={onEdit}>
            Editar
          </SheetAction>
        )}
        {session.student_nome !== null && !isLocal(session.id) && (
          <WhatsApp
            studentId={session.student_id}
            text={(name) => sessionMessage(session, name, { today, zone })}
          />
        )}
        {!isMember && isMovable(session) && (
          <SheetAction icon="clock" onClick={onMove}>
            Remarcar
          </SheetAction>
        )}
        {session.status === 'agendada' && (
          <SheetAction icon="close" onClick={onCancel}>
            Cancelar
          </SheetAction>
        )}
        {isOwn && session.status !== 'cancelada' && (
          <SheetAction icon="plus" onClick={onAdd}>
            Adicionar aluno
          </SheetAction>
        )}
        {isOwn && isInSeries(session) && (
          <SheetAction icon="calendar" onClick={onDays}>
            Mudar dias
          </SheetAction>
        )}
        {isOwn && (
          <SheetAction icon="renew" wide onClick={onRepeat}>
            Repetir na próxima semana
          </SheetAction>
        )}
        {!isLocal(session.id) && (
          <SheetAction icon="calendar" wide onClick={() => void saveSessionFile(`/sessions/${session.id}`)}>
            Adicionar ao calendário
          </SheetAction>
        )}
        {isOwn && session.serie_id !== null && (
          <SheetAction icon="calendar" wide onClick={() => void saveSeriesFile(session.serie_id!)}>
            Adicionar horário fixo ao calendário
          </SheetAction>
        )}
        <SheetAction icon="trash" wide loading={busy} onClick={() => void removeAndLeave()}>
          {isMember ? 'Remover do horário' : 'Excluir'}
        </SheetAction>
      </div>
      {history && <Section title="Histórico">{history}</Section>}
      <SheetActions>
        {session.status === 'agendada' ? (
          <Button loading={busy} onClick={complete} leftSection={<Icon name="check" />}>
            Marcar como feita
          </Button>
        ) : (
          <Button
            variant="default"
            loading={busy}
            onClick={() => void reopen()}
            leftSection={<Icon name="undo" size={18} />}
          >
            Reabrir sessão
          </Button>
        )}
      </SheetActions>
    </div>
  );
}

/** Whether this is a visit that the trainer has not answered yet. */
const isUnanswered = ({ id, status, confirmado, pendente }: ShownSession) =>
  status === 'agendada' && !confirmado && !pendente && !isLocal(id);

const ToAnswer = () => (
  <Link to="/link-publico" className={classes.answer}>
    A confirmar
  </Link>
);

function creditFact({ usou_credito, sem_credito }: Session): string | null {
  if (usou_credito) return 'Descontou 1 crédito';
  return sem_credito ? 'Sem crédito' : null;
}
