import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useNetwork } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { OwnSession } from '../../../../backend/modules/student-area/own-sessions.api.js';
import { areaLink } from '../../lib/area-link.js';
import { whenReachable } from '../../lib/chunks.js';
import { useSend } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { queuedNote, withdraw } from '../../lib/pending.js';
import { useShown } from '../../lib/shown.js';
import { useNow, useZone } from '../../lib/zone.js';
import { Why } from '../../parts/why.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './cancel-form.module.css';
import {
  DOING,
  useCancelOwnSession,
  useOwnCancellation,
  useOwnSessions,
  useOwnStep,
  useOwnTimes,
} from './own-sessions.queries.js';
import { OwnTimes } from './own-times.js';
import detail from './session-detail.module.css';
import { saveSessionFile } from './session-file.js';

/** Loaded where a request is needed: a form is more to read than the rest of the sheet. */
const Ask = lazy(() => whenReachable(() => import('./own-request.js')));

interface OwnSessionDetailProps {
  session: OwnSession;
  onDone: () => void;
}

interface OwnSessionSheetProps {
  /** Undefined while the sheet is closed. */
  session: OwnSession | undefined;
  title: string;
  onClose: () => void;
}

export default function OwnSessionSheet({ session, title, onClose }: OwnSessionSheetProps) {
  return (
    <Sheet opened={session !== undefined} onClose={onClose} title={title}>
      {session && <OwnSessionDetail key={session.id} session={session} onDone={onClose} />}
    </Sheet>
  );
}

/** A student's own session, with actions. */
function OwnSessionDetail({ session, onDone }: OwnSessionDetailProps) {
  const { id, location_nome, servico, chamada, turma, pedido, compartilhada } = session;
  const [doing, setDoing] = useShown(DOING);
  const onBack = () => setDoing(null);
  if (doing === 'desmarcar') return <Cancelling session={session} onDone={onDone} onBack={onBack} />;
  if (doing === 'remarcar') return <Moving session={session} onDone={onDone} onBack={onBack} />;
  return (
    <div className={detail.detail}>
      <p className={detail.when}>
        {[turma, servico, location_nome ?? 'Local a combinar'].filter(Boolean).join(' · ')}
      </p>
      {chamada && (
        <Button component="a" href={chamada} target="_blank" rel="noopener noreferrer">
          Abrir a chamada
        </Button>
      )}
      <Why of={`session:${id}`} isOwn />
      {pedido && <Asked id={id} pedido={pedido} />}
      {compartilhada && <Shared session={session} />}
      {areaLink() === null && (
        <Button
          variant="default"
          onClick={() => void saveSessionFile(`/student/sessions/${id}`)}
          leftSection={<Icon name="calendar" size={18} />}
        >
          Adicionar ao calendário
        </Button>
      )}
      {pedido?.situacao !== 'aberto' && (
        <SheetActions>
          {!compartilhada && (
            <Button
              variant="default"
              onClick={() => setDoing('remarcar')}
              leftSection={<Icon name="clock" size={18} />}
            >
              Remarcar
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => setDoing('desmarcar')}
            leftSection={<Icon name="close" size={18} />}
          >
            Desmarcar
          </Button>
        </SheetActions>
      )}
    </div>
  );
}

/** The other students of a shared hour, by first name if both have agreed. */
function Shared({ session: { com } }: { session: OwnSession }) {
  const shows = useOwnSessions().data?.mostra_nome ?? false;
  const choice = useSend('PUT /student/partner-name');
  return (
    <>
      <p className={detail.when}>
        {`Você divide este horário com ${com.length > 0 ? listed.format(com) : 'outra pessoa'}.`}
      </p>
      {areaLink() === null && (
        <Switch
          label="Mostrar meu primeiro nome a quem divide o horário"
          description="Quem também mostra aparece aqui pelo primeiro nome."
          checked={choice.isPending ? choice.variables.mostra : shows}
          onChange={({ currentTarget: { checked } }) =>
            void attempt(() => choice.mutateAsync({ mostra: checked }), 'Erro ao salvar')
          }
        />
      )}
    </>
  );
}

const listed = new Intl.ListFormat('pt-BR');

/** The student's request to the trainer, and its state. */
function Asked({ id, pedido }: { id: string; pedido: NonNullable<OwnSession['pedido']> }) {
  const zone = useZone();
  const withdrawal = useOwnStep();
  const { novo_inicio } = pedido;
  const what = novo_inicio === null ? 'desmarcar' : `mudar para ${formatMoment(novo_inicio, zone)}`;
  if (pedido.situacao === 'recusado')
    return (
      <p className={classes.consequence} data-costs>
        <Icon name="alert" size={18} />
        <span>
          Seu personal recusou o pedido para {what}: a aula continua agendada.
          {pedido.mensagem && ` “${pedido.mensagem}”`}
        </span>
      </p>
    );
  return (
    <>
      <p className={classes.consequence} data-costs>
        <Icon name="clock" size={18} />
        <span>Você pediu para {what}. A aula continua agendada até seu personal responder.</span>
      </p>
      <Button
        variant="default"
        loading={withdrawal.isPending}
        onClick={() =>
          void attempt(async () => {
            await withdrawal.mutateAsync({ id, step: 'request/withdraw' });
            toast.success('Pedido cancelado');
          }, 'Erro ao cancelar o pedido')
        }
      >
        Cancelar pedido
      </Button>
    </>
  );
}

export interface CancellingProps extends OwnSessionDetailProps {
  onBack: () => void;
}

/** Cancels a session, showing the cost before. In time by the policy, the student cancels alone; later it is a request. */
function Cancelling({ session, onDone, onBack }: CancellingProps) {
  const preview = useOwnCancellation(session.id);
  const { online } = useNetwork();
  const isByLink = areaLink() !== null;
  const isUnknown = !online && !preview.data;
  if (isUnknown && !isByLink) return <CancelOffline session={session} onDone={onDone} onBack={onBack} />;
  const isAlone = preview.data?.sozinho === true && !isByLink;
  return (
    <>
      {!isUnknown && (
        <Async of={preview} skeleton={<Skeletons count={1} height={68} />}>
          {({ sozinho, texto }) => (
            <p className={classes.consequence} data-costs={!sozinho || undefined}>
              <Icon name={sozinho ? 'check' : 'alert'} size={18} />
              <span>{texto}</span>
            </p>
          )}
        </Async>
      )}
      {isAlone ? (
        <CancelAlone session={session} onDone={onDone} onBack={onBack} />
      ) : (
        // Behind a link it does not wait for the cost: what was typed without a network is still there with one.
        (isByLink || preview.data) && (
          <Suspense fallback={<Skeletons count={1} height={124} />}>
            <Ask session={session} onDone={onDone} onBack={onBack} />
          </Suspense>
        )
      )}
    </>
  );
}

/** Cancels offline: shows until when it is free. If the request arrives too late, the refusal is shown later. */
function CancelOffline(props: CancellingProps) {
  const zone = useZone();
  const now = useNow();
  const { sozinho_ate } = props.session;
  const isAlone = Date.parse(sozinho_ate) >= now;
  return (
    <>
      <p className={classes.consequence} data-costs>
        <Icon name="offline" size={18} />
        <span>
          {isAlone
            ? `Sem internet. Se for enviado até ${formatMoment(sozinho_ate, zone)}, desmarcar não cobra nada.`
            : 'Sem internet. O prazo para desmarcar direto já passou: envie o pedido quando a internet voltar.'}
        </span>
      </p>
      {isAlone ? <CancelAlone {...props} /> : <SheetActions onBack={props.onBack} />}
    </>
  );
}

function CancelAlone({ session: { id, inicio }, onDone, onBack }: CancellingProps) {
  const zone = useZone();
  const cancellation = useCancelOwnSession();
  const step = useOwnStep();
  // If the cancellation is still in the outbox, remove it from there.
  const undo = async () => {
    if (!(await withdraw(id))) await step.mutateAsync({ id, step: 'undo' });
  };
  const cancel = () =>
    attempt(async () => {
      const answer = await cancellation.mutateAsync({ id, inicio });
      onDone();
      toast.success('Aula desmarcada', {
        description: queuedNote(answer) ?? formatMoment(inicio, zone),
        ...takenBack(undo, 'Cancelamento desfeito'),
      });
    }, 'Erro ao desmarcar a aula');
  return (
    <SheetActions onBack={onBack}>
      <Button color="red" loading={cancellation.isPending} onClick={() => void cancel()}>
        Desmarcar aula
      </Button>
    </SheetActions>
  );
}

/** Moves a session, without cost. In time by the policy, the student moves it alone; later it is a request. */
function Moving({ session, onDone, onBack }: CancellingProps) {
  const { id, inicio, sozinho_ate } = session;
  const zone = useZone();
  const now = useNow();
  const isByLink = areaLink() !== null;
  const isAlone = Date.parse(sozinho_ate) >= now && !isByLink;
  const [chosen, choose] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const times = useOwnTimes({ sessao: id });
  const moving = useSend('POST /student/sessions/:id/move', id);
  const step = useOwnStep();

  const move = (to: string) =>
    attempt(async () => {
      await moving.mutateAsync({ inicio: to });
      onDone();
      toast.success('Aula remarcada', {
        description: `${formatMoment(inicio, zone)} → ${formatMoment(to, zone)}`,
        ...takenBack(() => step.mutateAsync({ id, step: 'undo' }), 'Remarcação desfeita'),
      });
    }, 'Erro ao remarcar a aula');

  if (asking && chosen)
    return (
      <>
        <p className={classes.consequence} data-costs>
          <Icon name="alert" size={18} />
          <span>
            {isByLink ? 'Seu personal precisa aceitar.' : 'O prazo para remarcar direto já passou.'} Peça para
            mudar para {formatMoment(chosen, zone)}: até a resposta, a aula continua agendada.
          </span>
        </p>
        <Suspense fallback={<Skeletons count={1} height={124} />}>
          <Ask session={session} to={chosen} onDone={onDone} onBack={() => setAsking(false)} />
        </Suspense>
      </>
    );
  return (
    <>
      <p className={classes.consequence} data-costs={!isAlone || undefined}>
        <Icon name={isAlone ? 'check' : 'alert'} size={18} />
        <span>
          {isAlone
            ? 'Remarcar não cobra nada. Escolha o novo horário.'
            : isByLink
              ? 'Escolha o novo horário: seu personal precisa aceitar.'
              : 'O prazo para remarcar direto já passou: seu personal precisa aceitar.'}
        </span>
      </p>
      <Async of={times} skeleton={<Skeletons count={2} height={110} />}>
        {({ horarios, pausado_ate }) => (
          <OwnTimes times={horarios} pausado_ate={pausado_ate} chosen={chosen} onChoose={choose} />
        )}
      </Async>
      <SheetActions onBack={onBack}>
        <Button
          disabled={chosen === null}
          loading={moving.isPending}
          onClick={() => (isAlone ? void move(chosen!) : setAsking(true))}
        >
          {isAlone ? 'Remarcar' : 'Pedir para remarcar'}
        </Button>
      </SheetActions>
    </>
  );
}
