import { Button } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import type { Confirmation } from '../../../../backend/modules/reminders/reminders.api.js';
import { formatMoment } from '../../lib/dates.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { useNow } from '../../lib/zone.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { ZoneBar } from '../../ui/zone-bar.js';
import classes from './confirm-page.module.css';
import { useConfirm, useConfirmation } from './reminders.queries.js';

/** Page on which a student confirms a session. Opening it confirms nothing, because messengers open links by themselves. */
export default function ConfirmPage() {
  useEffect(() => {
    document.title = 'Confirmar presença · Rende';
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <main className={classes.page}>
        <Logo size={36} withName />
        <Content />
      </main>
    </QueryClientProvider>
  );
}

function Content() {
  const { token = '' } = useParams();
  const shown = useConfirmation(token);
  if (shown.error instanceof ProblemError && shown.error.status === 404) return <DeadLink />;
  if (shown.error && !shown.data)
    return <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />;
  if (!shown.data) return <Loading />;
  return <Lesson token={token} {...shown.data} />;
}

function Lesson({ token, personal, inicio, timezone, situacao }: Confirmation & { token: string }) {
  const now = useNow();
  const { mutateAsync, isPending } = useConfirm();
  const [done, setDone] = useState<'now' | 'before' | null>(null);
  const confirm = () =>
    attempt(async () => {
      const { nova } = await mutateAsync(token);
      setDone(nova ? 'now' : 'before');
    }, 'Não foi possível confirmar');
  if (situacao === 'alterada')
    return (
      <Notice icon="calendar" title="Esta aula mudou de horário ou foi desmarcada" wholePage role="alert">
        Fale com {personal} para saber o novo horário.
      </Notice>
    );
  if (situacao === 'encerrada')
    return (
      <Notice icon="clock" title="Esta aula já começou" wholePage role="alert">
        O link de confirmação expirou.
      </Notice>
    );
  return (
    <>
      <ZoneBar zone={timezone} now={now} />
      <h1 className={classes.title}>Sua aula com {personal}</h1>
      <p className={classes.when}>{formatMoment(inicio, timezone)}</p>
      {done === null && situacao === 'aberta' ? (
        <Button
          size="lg"
          loading={isPending}
          onClick={() => void confirm()}
          leftSection={<Icon name="check" />}
        >
          Confirmar presença
        </Button>
      ) : (
        <p className={classes.done} role="status">
          <Icon name="check" />
          {done === 'now' ? 'Presença confirmada' : 'Sua presença já estava confirmada'}
        </p>
      )}
      <p className={classes.note}>Não vai poder ir? Fale com o seu personal.</p>
    </>
  );
}
