import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import type { ReactNode } from 'react';
import type { CalendarFeed } from '../../../../backend/modules/calendar-feed/calendar-feed.api.js';
import { copyText } from '../../lib/clipboard.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { SharedLink } from '../../ui/shared-link.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import {
  useCalendarFeed,
  useRenewCalendarFeed,
  useRestoreCalendarFeed,
  useRevokeCalendarFeed,
  useSetCalendarFeed,
} from './calendar-feed.queries.js';
import classes from './calendar-feed.module.css';

type Feed = NonNullable<CalendarFeed['feed']>;

/** The secret address under which calendar programs follow the agenda. */
export function FeedSection({ history }: { history: ReactNode }) {
  const feed = useCalendarFeed();
  return (
    <Section title="Sua agenda em outro calendário">
      <Card className={classes.card}>
        <p className={classes.note}>
          Veja suas sessões no calendário do celular ou do computador (Google, Apple, Outlook). Elas se
          atualizam sozinhas, em geral a cada poucas horas.
        </p>
        <Async of={feed} skeleton={<Skeletons count={1} height={96} />}>
          {(answer) => (answer.feed ? <Active feed={answer.feed} history={history} /> : <Off />)}
        </Async>
      </Card>
    </Section>
  );
}

function Off() {
  const { mutateAsync, isPending } = useSetCalendarFeed();
  return (
    <Button
      loading={isPending}
      onClick={() => void attempt(() => mutateAsync({ com_nomes: true }), 'Erro ao ativar o link')}
      leftSection={<Icon name="link" size={18} />}
    >
      Ativar link do calendário
    </Button>
  );
}

function Active({ feed: { id, url, com_nomes }, history }: { feed: Feed; history: ReactNode }) {
  const change = useSetCalendarFeed();
  const renewal = useRenewCalendarFeed();
  const removal = useRevokeCalendarFeed();
  const restoration = useRestoreCalendarFeed();
  const back = {
    undo: () => attempt(() => restoration.mutateAsync(id), 'Erro ao desfazer'),
    undone: 'Alteração desfeita',
  };
  const renew = () =>
    attempt(async () => {
      await renewal.mutateAsync(null);
      toast.success('Link novo gerado', { description: 'O link anterior deixou de funcionar.', ...back });
    }, 'Erro ao gerar o link');
  const revoke = () =>
    attempt(async () => {
      await removal.mutateAsync(null);
      toast.success('Link desativado', { description: 'Quem assinava deixa de ver sua agenda.', ...back });
    }, 'Erro ao desativar o link');
  return (
    <>
      <SharedLink url={url} title="Minha agenda" copy={copyText}>
        <Button
          component="a"
          href={url.replace(/^https?:/, 'webcal:')}
          leftSection={<Icon name="calendar" size={18} />}
        >
          Abrir no calendário
        </Button>
      </SharedLink>
      <Switch
        label="Mostrar nomes dos alunos e locais"
        description={
          com_nomes ? 'Quem tem o link vê com quem e onde.' : 'Quem tem o link vê só “Sessão” e o horário.'
        }
        checked={com_nomes}
        onChange={(event) => {
          const wanted = { com_nomes: event.currentTarget.checked };
          void attempt(() => change.mutateAsync(wanted), 'Erro ao salvar');
        }}
      />
      <p className={classes.note}>Este link é secreto: quem tem o link vê sua agenda, sem login.</p>
      <div className={classes.buttons}>
        <Button
          variant="default"
          loading={renewal.isPending}
          onClick={() => void renew()}
          leftSection={<Icon name="renew" size={18} />}
        >
          Gerar outro link
        </Button>
        <Button variant="default" loading={removal.isPending} onClick={() => void revoke()}>
          Desativar link
        </Button>
      </div>
      <details className={classes.history}>
        <summary>Histórico</summary>
        {history}
      </details>
    </>
  );
}
