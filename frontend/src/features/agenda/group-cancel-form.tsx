import { Button } from '@mantine/core';
import { useState } from 'react';
import { costInWords } from '../../../../backend/modules/agenda/cancellation.api.js';
import type { GroupCancellation } from '../../../../backend/modules/agenda/groups.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { messageOf } from '../../lib/problem.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { SheetActions } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import classes from './cancel-form.module.css';
import { useCancelGroup, useGroupCancellation } from './groups.queries.js';
import { sessionTitle, type ShownSession } from './pending-session.js';
import { sessionMessage } from './session-message.js';
import { useSeriesChange } from './use-series-change.js';
import { useSessionActions } from './use-session-actions.js';

interface GroupCancelFormProps {
  /** The hour as one session. */
  hour: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

const listed = new Intl.ListFormat('pt-BR');
const FREE = { usou_credito: false, sem_credito: false, taxa: 0 };

/** The trainer cancels an hour for all its students: who they are and what it costs them is shown before. */
export function GroupCancelForm({ hour, onDone, onBack }: GroupCancelFormProps) {
  const { grupo_id, inicio, membros = [] } = hour;
  const zone = useZone();
  const today = useToday();
  const tell = useTell();
  const withSeries = useSeriesChange();
  const cancellation = useCancelGroup();
  const { uncancelAll } = useSessionActions(hour);
  const id = grupo_id!;
  const preview = useGroupCancellation(id, inicio);
  const [isSending, setSending] = useState(false);
  const isCut = preview.data === undefined && preview.fetchStatus === 'paused';

  const cancelThis = async () => {
    const done = await cancellation.mutateAsync({ id, inicio, title: sessionTitle(hour, zone) });
    const ids = 'queued' in done ? meant.map((one) => one.id) : done.session_ids;
    const gone = membros.filter((one) => ids.includes(one.id));
    const cancelled = { ...hour, status: 'cancelada' as const, motivo: 'personal' as const };
    toast.success('Sessões canceladas', {
      description: 'queued' in done ? WILL_BE_SENT : doneWords(done),
      tell: await tell(
        gone.map(({ student_id }) => student_id),
        (name) => sessionMessage(cancelled, name, { today, zone }),
      ),
      undo: () => ('queued' in done ? withdraw(id) : uncancelAll(done.session_ids)),
      undone: 'Cancelamento desfeito',
    });
  };

  const send = async () => {
    setSending(true);
    try {
      const body = { motivo: 'personal' as const, com_grupo: true };
      const others = await withSeries(hour, 'Cancelar', 'cancel', body);
      if (others === 'nothing') return;
      if (others === 'alone') await cancelThis();
      onDone();
    } catch (error) {
      toast.error('Erro ao cancelar as sessões', { description: messageOf(error) });
    } finally {
      setSending(false);
    }
  };

  const staying = membros.filter(({ status }) => status === 'feita');
  const meant = membros.filter((one) =>
    preview.data ? preview.data.session_ids.includes(one.id) : one.status === 'agendada',
  );
  return (
    <>
      <div role="status">
        {preview.data || isCut ? (
          <p className={classes.consequence}>
            <Icon name={isCut ? 'offline' : 'check'} size={18} />
            <span>
              Você cancela a sessão de {namesOf(meant)}:{' '}
              {costInWords(preview.data ?? FREE, false, 'announced', formatMoney)}.
              {staying.length > 0 && ` A de ${namesOf(staying)} já foi realizada e continua como está.`}
            </span>
          </p>
        ) : (
          <Loading>
            <Skeletons count={1} height={68} />
          </Loading>
        )}
      </div>
      <SheetActions onBack={onBack}>
        <Button
          color="red"
          loading={isSending}
          disabled={!preview.data && !isCut}
          onClick={() => void send()}
        >
          Cancelar para todos
        </Button>
      </SheetActions>
    </>
  );
}

const namesOf = (sessions: readonly ShownSession[]): string =>
  listed.format(
    sessions.map(({ student_nome }) => (student_nome === null ? 'aluno apagado' : firstName(student_nome))),
  );

function doneWords({ session_ids, ...cost }: GroupCancellation): string {
  return `${plural(session_ids.length, 'sessão', 'sessões')}: ${costInWords(cost, false, 'done', formatMoney)}.`;
}
