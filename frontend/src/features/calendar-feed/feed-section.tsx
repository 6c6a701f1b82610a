import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useAnswer } from '../../lib/answer.js';
import type {
  FeedSettings,
  FormerFeed,
} from '../../../../backend/modules/calendar-links/calendar-links.api.js';
import { copyText } from '../../lib/clipboard.js';
import { History } from '../../parts/history.js';
import { Card } from '../../ui/card.js';
import { Folded } from '../../ui/folded.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { SharedLink } from '../../ui/shared-link.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';
import classes from './calendar-feed.module.css';

interface Feed {
  id: string;
  url: string;
  /** Missing for a student's feed. */
  com_nomes?: boolean;
}

/** Texts for the trainer's agenda, and for a student's own sessions. */
const kinds = {
  agenda: {
    path: '/calendar-feed',
    title: 'Sua agenda em outro calendário',
    note: 'Veja suas sessões no calendário do celular ou do computador (Google, Apple, Outlook). Elas se atualizam sozinhas, em geral a cada poucas horas.',
    shared: 'Minha agenda',
    secret: 'Este link é secreto: quem tem o link vê sua agenda, sem login.',
    revoked: 'Quem usava o link deixa de ver sua agenda.',
  },
  aulas: {
    path: '/student/calendar-feed',
    title: 'Suas aulas em outro calendário',
    note: 'Veja suas aulas no calendário do celular ou do computador (Google, Apple, Outlook). Elas se atualizam sozinhas, em geral a cada poucas horas.',
    shared: 'Minhas aulas',
    secret: 'Este link é secreto: quem tem o link vê suas aulas, sem login.',
    revoked: 'Quem usava o link deixa de ver suas aulas.',
  },
} as const satisfies Record<string, { path: FeedPath } & Record<string, string>>;

type Kind = (typeof kinds)[keyof typeof kinds];

/** The secret address under which calendar programs follow the agenda, or a student's own sessions. */
export function FeedSection({ of }: { of: keyof typeof kinds }) {
  const kind = kinds[of];
  const feed = useFeed(kind.path);
  return (
    <Section title={kind.title}>
      <Card fields>
        <Quiet>{kind.note}</Quiet>
        <Async of={feed} skeleton={<Skeletons count={1} height={96} />}>
          {(answer) => (answer.feed ? <Active kind={kind} feed={answer.feed} /> : <Off kind={kind} />)}
        </Async>
      </Card>
    </Section>
  );
}

function Off({ kind: { path } }: { kind: Kind }) {
  const { mutateAsync, isPending } = useSetFeed(path);
  const restoration = useRestoreFeed(path);
  const settings = path === '/calendar-feed' ? { com_nomes: true } : null;
  const open = () =>
    attempt(async () => {
      const { id: no_lugar_de } = await mutateAsync(settings);
      toast.success(
        'Link ativado',
        takenBack(() => restoration.mutateAsync({ id: null, no_lugar_de }), 'Ativação desfeita'),
      );
    }, 'Erro ao ativar o link');
  return (
    <Button loading={isPending} onClick={() => void open()} leftSection={<Icon name="link" size={18} />}>
      Ativar link do calendário
    </Button>
  );
}

interface ActiveProps {
  kind: Kind;
  feed: Feed;
}

function Active({ kind, feed: { id, url, com_nomes } }: ActiveProps) {
  const { path } = kind;
  const change = useSetFeed(path);
  const renewal = useRenewFeed(path);
  const removal = useRevokeFeed(path);
  const restoration = useRestoreFeed(path);
  /** Only if nothing was changed since: another tab may have revoked it. */
  const backFrom = (no_lugar_de: string | null) =>
    takenBack(() => restoration.mutateAsync({ id, no_lugar_de }));
  const renew = () =>
    attempt(async () => {
      const renewed = await renewal.mutateAsync();
      toast.success('Link novo gerado', {
        description: 'O link anterior deixou de funcionar.',
        ...backFrom(renewed.id),
      });
    }, 'Erro ao gerar o link');
  const revoke = () =>
    attempt(async () => {
      await removal.mutateAsync();
      toast.success('Link desativado', { description: kind.revoked, ...backFrom(null) });
    }, 'Erro ao desativar o link');
  const showNames = (wanted: boolean) =>
    attempt(async () => {
      await change.mutateAsync({ com_nomes: wanted, id });
      toast.success(
        wanted ? 'O link mostra nomes' : 'O link não mostra nomes',
        takenBack(() => change.mutateAsync({ com_nomes: !wanted, id })),
      );
    }, 'Erro ao salvar');
  return (
    <>
      <SharedLink url={url} title={kind.shared} copy={copyText}>
        <Button
          component="a"
          className={classes.open}
          href={url.replace(/^https?:/, 'webcal:')}
          leftSection={<Icon name="calendar" size={18} />}
        >
          Abrir no calendário
        </Button>
      </SharedLink>
      {com_nomes !== undefined && (
        <Switch
          label="Mostrar nomes dos alunos e locais"
          description={
            com_nomes ? 'Quem tem o link vê com quem e onde.' : 'Quem tem o link vê só “Sessão” e o horário.'
          }
          checked={com_nomes}
          onChange={(event) => {
            void showNames(event.currentTarget.checked);
          }}
        />
      )}
      <Quiet>{kind.secret}</Quiet>
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
      {path === '/calendar-feed' && (
        <Folded title="Histórico">
          <History kind="calendar" />
        </Folded>
      )}
    </>
  );
}

const CALENDAR = reads('calendar', ['student-calendar']);

/** API path of a trainer's calendar feed, or of a student's. */
type FeedPath = '/calendar-feed' | '/student/calendar-feed';

const useFeed = (path: FeedPath) => useAnswer([CALENDAR, path], `GET ${path}`);

/** Switches a feed on. A student's feed has no settings. */
const useSetFeed = (path: FeedPath) =>
  useCommand({
    send: (settings: FeedSettings | null, key) =>
      path === '/calendar-feed' && settings
        ? write('PUT /calendar-feed', key, { body: settings })
        : write('PUT /student/calendar-feed', key),
  });

const useRenewFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => write(`POST ${path}/renew`, key) });

const useRevokeFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => write(`DELETE ${path}`, key) });

const useRestoreFeed = (path: FeedPath) =>
  useCommand({
    send: (former: FormerFeed, key) => write(`POST ${path}/restore`, key, { body: former }),
  });
