import { Button, Menu } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { read } from '../../lib/calls.js';
import { dayOf, formatLongDay, formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { ASKS_MOMENT } from '../../lib/moment.js';
import { isLocal } from '../../lib/outbox.js';
import { useNow, useToday, useZone } from '../../lib/zone.js';
import { Balance } from '../../parts/balance.js';
import { History } from '../../parts/history.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { Why } from '../../parts/why.js';
import { useStudent } from '../../parts/students.queries.js';
import { whatsAppOf } from '../../parts/whatsapp.js';
import { Facts, type FactsProps } from '../../ui/facts.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Money } from '../../ui/money.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Section } from '../../ui/page.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { SheetActions, SheetTitle } from '../../ui/sheet.js';
import classes from './session-detail.module.css';
import { MainButton } from './main-button.js';
import { isMovable } from './move-form.js';
import { isUnanswered } from './next-session.js';
import type { SessionTimes, ShownSession } from './pending-session.js';
import { saveSeriesFile, saveSessionFile } from './session-file.js';
import { sessionMessage } from './session-message.js';
import { reasons, sessionAddress, StatusTag, whatAndWhere } from './session-status.js';
import { isInSeries } from './scope.js';
import { SeriesFact } from './series-fact.js';
import type { SessionStep } from './session-steps.js';
import { takesCredit } from './credit-words.js';
import { isOwed } from './status-change.js';
import { useStudentParts } from './student-parts.js';
import { useSeriesChange } from './use-series-change.js';
import { useSessionActions } from './use-session-actions.js';
import { useSessionRemoval } from './use-session-removal.js';

interface SessionDetailProps {
  session: ShownSession;
  /** The session is part of a group, whose actions are in the group's sheet. */
  isMember: boolean;
  onStep: (step: SessionStep) => void;
  /** Whether the session is being deleted. */
  onLeaving: (is: boolean) => void;
  onGone: () => void;
}

export function SessionDetail({ session, isMember, onStep, onLeaving, onGone }: SessionDetailProps) {
  const zone = useZone();
  const today = useToday();
  const now = useNow();
  const { complete, reopen, bringBack, ...actions } = useSessionActions(session);
  const removal = useSessionRemoval(session, () => bringBack('restore'));
  const busy = actions.busy || removal.busy;
  const { online } = useNetwork();
  const [isReopening, setReopening] = useState(false);
  const withSeries = useSeriesChange();
  const { SessionCharge, SessionReminder, SessionRequest } = useStudentParts();
  const { id, status, serie_id, student_id, student_nome } = session;
  const day = dayOf(session.inicio, zone);

  const isKnown = student_nome !== null && !isLocal(id);
  const isOwn = isKnown && !isMember;
  const isScheduled = status === 'agendada';
  const isDone = status === 'feita' || status === 'cancelada';
  const isDue = day <= today;
  // Where editing is the main button.
  const isEditFirst = isScheduled && !isDue && isKnown && !isUnanswered(session);

  // Without a network, and for what has not been sent, nobody knows what it moves.
  const askToReopen = () => {
    if (online && !session.pendente) setReopening(true);
    else void reopen();
  };

  const removeAndLeave = async () => {
    onLeaving(true);
    if (await removal.remove(withSeries)) onGone();
    else onLeaving(false);
  };

  return (
    <div className={classes.detail}>
      <SheetTitle of={headingOf(session, zone)} />
      <div>
        <div className={classes.head}>
          <StatusTag session={session} />
          {isKnown && takesCredit(session) && <Balance studentId={student_id} />}
          {session.pendente && <PendingMark />}
        </div>
        <TimeAndPlace session={session} />
      </div>
      {isScheduled && isKnown && <SessionRequest sessionId={id} />}
      <Facts of={[['Repete', serie_id && <SeriesFact key="serie" {...session} />], ...factsOf(session)]} />
      {(isOwed(session) || session.cobranca_id !== undefined) && <SessionCharge session={session} />}
      <IconActions>
        {isKnown && <WhatsAppButton session={session} />}
        {!isMember && isMovable(session) && (
          <IconAction icon="clock" onClick={() => onStep('remarcar')}>
            Remarcar
          </IconAction>
        )}
        {isScheduled && Date.parse(session.inicio) <= now && (
          <IconAction icon="alert" onClick={() => onStep('faltou')}>
            Faltou
          </IconAction>
        )}
        {isScheduled && (
          <IconAction icon="close" onClick={() => onStep('cancelar')}>
            Cancelar
          </IconAction>
        )}
        {isDone && isOwn && (
          <IconAction icon="renew" onClick={() => onStep('repetir')}>
            Repetir
          </IconAction>
        )}
      </IconActions>
      {!isLocal(id) && <Why of={`session:${id}`} />}
      {!isLocal(id) && (
        <Section title="Histórico">
          <SessionReminder sessionId={id} />
          <History kind="session" id={id} />
        </Section>
      )}
      <SheetActions>
        <MoreMenu>
          {isKnown && !isEditFirst && (
            <Menu.Item leftSection={<Icon name="edit" size={18} />} onClick={() => onStep('editar')}>
              Editar
            </Menu.Item>
          )}
          {isKnown && (
            <Menu.Item
              component={Link}
              to={`/alunos/${student_id}`}
              leftSection={<Icon name="people" size={18} />}
            >
              Ver aluno
            </Menu.Item>
          )}
          {!isLocal(id) && (
            <Menu.Item
              component={Link}
              to={`${sessionAddress(session, zone)}&${ASKS_MOMENT}`}
              leftSection={<Icon name="clock" size={18} />}
            >
              {ASK_PAST}
            </Menu.Item>
          )}
          {isDone && isOwed(session) && (
            <Menu.Item leftSection={<Icon name="undo" size={18} />} onClick={askToReopen}>
              Reabrir sessão
            </Menu.Item>
          )}
          {isOwn && status !== 'cancelada' && (
            <Menu.Item leftSection={<Icon name="plus" size={18} />} onClick={() => onStep('adicionar')}>
              Adicionar aluno
            </Menu.Item>
          )}
          {isOwn && isMovable(session) && Date.parse(session.inicio) > now && (
            <Menu.Item leftSection={<Icon name="people" size={18} />} onClick={() => onStep('turma')}>
              Abrir para alunos
            </Menu.Item>
          )}
          {isOwn && isInSeries(session) && (
            <Menu.Item leftSection={<Icon name="calendar" size={18} />} onClick={() => onStep('dias')}>
              Mudar dias
            </Menu.Item>
          )}
          {isOwn && isScheduled && (
            <Menu.Item leftSection={<Icon name="renew" size={18} />} onClick={() => onStep('repetir')}>
              Repetir na próxima semana
            </Menu.Item>
          )}
          {!isLocal(id) && (
            <Menu.Item
              leftSection={<Icon name="calendar" size={18} />}
              onClick={() => void saveSessionFile(`/sessions/${id}`)}
            >
              Adicionar ao calendário
            </Menu.Item>
          )}
          {isOwn && serie_id !== null && (
            <Menu.Item
              leftSection={<Icon name="calendar" size={18} />}
              onClick={() => void saveSeriesFile(serie_id)}
            >
              Adicionar horário fixo ao calendário
            </Menu.Item>
          )}
          <Menu.Divider />
          {isUnanswered(session) && (
            <Menu.Item
              color="var(--rende-bad)"
              leftSection={<Icon name="close" size={18} />}
              onClick={() => onStep('recusar')}
            >
              Recusar reserva
            </Menu.Item>
          )}
          <Menu.Item
            color="var(--rende-bad)"
            disabled={busy}
            leftSection={<Icon name="trash" size={18} />}
            onClick={() => void removeAndLeave()}
          >
            {isMember ? 'Remover do horário' : 'Excluir'}
          </Menu.Item>
        </MoreMenu>
        <MainButton
          sessions={[session]}
          isDue={isDue}
          busy={busy}
          onComplete={complete}
          ahead={
            isKnown && (
              <Button onClick={() => onStep('editar')} leftSection={<Icon name="edit" size={18} />}>
                Editar
              </Button>
            )
          }
          otherwise={
            <Button
              variant="default"
              loading={busy}
              onClick={askToReopen}
              leftSection={<Icon name="undo" size={18} />}
            >
              Reabrir sessão
            </Button>
          }
        />
      </SheetActions>
      {isReopening && (
        <UndoSheet
          what="Reabrir sessão"
          of={id}
          price={(signal) => read('GET /sessions/:id/reopen/preview', { of: [id], signal })}
          onUndo={() => reopen()}
          onClose={() => setReopening(false)}
        />
      )}
    </div>
  );
}

/** "7:00–8:00 · Avaliação · Academia" */
export function TimeAndPlace({ session }: { session: ShownSession }) {
  const zone = useZone();
  return (
    <p className={classes.when} title={formatLongDay(dayOf(session.inicio, zone))}>
      {[hoursOf(session, zone), whatAndWhere(session)].filter(Boolean).join(' · ')}
    </p>
  );
}

/** Opens WhatsApp with what there is to say of the session; renders nothing without a number. */
function WhatsAppButton({ session }: { session: ShownSession }) {
  const [zone, today] = [useZone(), useToday()];
  const { data } = useStudent(session.student_id);
  const href = data && whatsAppOf(data, sessionMessage(session, firstName(data.nome), { today, zone }));
  if (!href) return null;
  return (
    <IconAction icon="chat" href={href}>
      WhatsApp
    </IconAction>
  );
}

/** "7:00–8:00" */
export const hoursOf = ({ inicio, fim }: SessionTimes, zone: string): string =>
  `${formatTime(timeOf(inicio, zone))}–${formatTime(timeOf(fim, zone))}`;

/** "Ana Souza · hoje, 7:00" */
export const headingOf = ({ student_nome, inicio }: ShownSession, zone: string): string =>
  `${student_nome ?? 'Aluno apagado'} · ${formatMoment(inicio, zone)}`;

/** What is known of a session from itself. */
export const factsOf = (session: ShownSession): FactsProps['of'] => [
  [
    'Chamada',
    session.servico?.endereco && (
      <a key="chamada" href={session.servico.endereco} target="_blank" rel="noopener noreferrer">
        Abrir
      </a>
    ),
  ],
  ['Observações', session.observacoes],
  ['Motivo', session.motivo && reasons[session.motivo]],
  ['Crédito', creditFact(session)],
  ['Valor da sessão', session.valor !== null && <Money key="valor" cents={session.valor} />],
  ['Taxa de cancelamento', session.taxa > 0 && <Money key="taxa" cents={session.taxa} />],
];

function creditFact({ usou_credito, credito_de, sem_credito }: Session): string | null {
  if (usou_credito) return `Descontou 1 crédito${credito_de === undefined ? '' : ` de ${credito_de}`}`;
  return sem_credito ? 'Sem crédito' : null;
}
