import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type {
  OwnLateCancellation,
  OwnSession,
  OwnSessions as Answer,
} from '../../../../backend/modules/student-area/own-sessions.api.js';
import { ownPath } from '../../lib/area-link.js';
import { whenReachable } from '../../lib/chunks.js';
import { type Day, dueDay, formatDay, formatMoment, formatTime, timeOf, whenDay } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { inEffect } from '../../lib/pending-over-server.js';
import { queuedNote, usePending } from '../../lib/pending.js';
import { useShown } from '../../lib/shown.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './cancel-form.module.css';
import { DOING, OWN_CANCEL, useConfirmOwnSession, useOwnSessions } from './own-sessions.queries.js';

/** Loaded at the first tap, and kept mounted for the closing animation. */
const OwnSessionSheet = lazy(() => whenReachable(() => import('./own-session-sheet.js')));

/** The signed-in student's next sessions. */
export function OwnSessions() {
  const zone = useZone();
  const sessions = useOwnSessions();
  const [chosen, choose] = useShown('aula', DOING);
  const [wasOpened, setOpened] = useState(false);
  if (chosen !== null && !wasOpened) setOpened(true);
  const shown = sessions.data?.items.find(({ id }) => id === chosen);
  return (
    <Section title="Próximas Aulas">
      <Async of={sessions} skeleton={<Skeletons count={2} />}>
        {({ items, desmarcadas, ferias, pausado_ate }) => (
          <>
            {desmarcadas.map((cancelled) => (
              <CancelledLate key={cancelled.id} cancelled={cancelled} />
            ))}
            {pausado_ate && <Paused until={pausado_ate} />}
            {ferias.map((vacation) => (
              <Vacation key={vacation.start_date} vacation={vacation} />
            ))}
            {items.length === 0 ? (
              <Card>
                <Notice icon="calendar" title="Nenhuma aula agendada" />
              </Card>
            ) : (
              <Card flush>
                {items.map((session) => (
                  <Session key={session.id} session={session} />
                ))}
              </Card>
            )}
          </>
        )}
      </Async>
      {wasOpened && (
        <Suspense>
          <OwnSessionSheet
            session={shown}
            title={shown ? timesOf(shown, zone) : ''}
            onClose={() => choose(null)}
          />
        </Suspense>
      )}
    </Section>
  );
}

/** What a late cancellation that the trainer granted has cost, and where and until when to pay it. */
function CancelledLate({ cancelled: { inicio, custo, cobranca } }: { cancelled: OwnLateCancellation }) {
  const zone = useZone();
  const today = useToday();
  return (
    <div className={classes.consequence} data-costs>
      <Icon name="alert" size={18} />
      <div className={classes.late}>
        <p>{`Seu personal desmarcou a aula de ${formatMoment(inicio, zone)} a seu pedido. Fora do prazo, o cancelamento ${custo}.`}</p>
        {cobranca && (
          <>
            <p>
              {sentence(`A pagar: ${formatMoney(cobranca.falta)}, ${dueDay(cobranca.vencimento, today)}`)}
            </p>
            <Button component={Link} to={{ search: `pagar=${cobranca.id}` }} size="sm" variant="default">
              Pagar
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** An abbreviated month brings its own full stop. */
const sentence = (words: string) => words.replace(/\.?$/, '.');

/** Why there may be no classes until then; the statement says why that is so. */
function Paused({ until }: { until: Day }) {
  return (
    <Away words={`Sua pausa vai até ${formatDay(until, useToday())}`}>
      {' '}
      <Link to={ownPath('/extrato')}>Por quê?</Link>
    </Away>
  );
}

function Vacation({ vacation: { start_date, end_date } }: { vacation: Answer['ferias'][number] }) {
  const today = useToday();
  const last = formatDay(end_date, today);
  const words =
    start_date > today
      ? start_date === end_date
        ? `Seu personal não atende ${whenDay(start_date, today)}: é dia de férias`
        : `Seu personal tira férias de ${formatDay(start_date, today)} a ${last}`
      : `Seu personal está de férias${end_date === today ? ' hoje' : ` até ${last}`}`;
  return <Away words={words} />;
}

const Away = ({ words, children }: { words: string; children?: ReactNode }) => (
  <p className={classes.consequence} data-costs>
    <Icon name="calendar" size={18} />
    <span>
      {sentence(words)}
      {children}
    </span>
  </p>
);

function Session({ session }: { session: OwnSession }) {
  const zone = useZone();
  const confirmation = useConfirmOwnSession();
  const { id, inicio, fim, location_nome, servico, turma, confirmado, a_confirmar, pedido } = session;
  const isReserved = !confirmado && !a_confirmar;
  const waits = inEffect(usePending(({ writes }) => writes)).filter(({ subject }) => subject === id);
  const willBe = (effect: string) => waits.some((write) => write.effect === effect);
  // Who has asked to change it is not expected to come: it takes the request back.
  const isAsked = pedido?.situacao === 'aberto';
  const confirm = () =>
    attempt(async () => {
      const answer = await confirmation.mutateAsync({ id, inicio });
      const withdrawn = isAsked ? 'Seu pedido foi cancelado.' : undefined;
      toast.success('Presença confirmada', { description: queuedNote(answer) ?? withdrawn });
    }, 'Não foi possível confirmar');
  return (
    <Row
      to={`?aula=${id}`}
      title={
        <>
          {formatMoment(inicio, zone)}
          <span className={classes.end}>–{formatTime(timeOf(fim, zone))}</span>
        </>
      }
      facts={[
        turma,
        servico,
        location_nome ?? 'Local a combinar',
        isReserved && 'aguardando a confirmação do personal',
      ]
        .filter(Boolean)
        .join(' · ')}
      muted={willBe(OWN_CANCEL)}
      trail={
        waits.length > 0 ? (
          <PendingMark>{willBe(OWN_CANCEL) ? 'será desmarcada' : 'será confirmada'}</PendingMark>
        ) : (
          pedido && (
            <Tag tone={isAsked ? 'accent' : 'warn'}>{isAsked ? 'Pedido enviado' : 'Pedido recusado'}</Tag>
          )
        )
      }
      actions={
        a_confirmar &&
        waits.length === 0 && (
          <Button
            size="sm"
            variant={isAsked ? 'default' : 'filled'}
            aria-label={`${isAsked ? 'Vou, sim' : 'Confirmar presença'}: ${formatMoment(inicio, zone)}`}
            loading={confirmation.isPending}
            onClick={() => void confirm()}
          >
            {isAsked ? 'Vou, sim' : 'Confirmar'}
          </Button>
        )
      }
    />
  );
}

const timesOf = ({ inicio, fim }: OwnSession, zone: string) =>
  `${formatMoment(inicio, zone)}–${formatTime(timeOf(fim, zone))}`;
