import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import type { Notification } from '../../../../backend/modules/notices/notifications.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { homeOf, idOf, titleOf, useSignedIn } from '../../lib/me.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { attempt } from '../../ui/toast.js';
import {
  noticesOf,
  type Reader,
  useNotifications,
  useRead,
  useReadAll,
  useUnread,
  useUnreadElsewhere,
} from './notifications.queries.js';
import classes from './notifications.module.css';

const empty = {
  personal: 'Quando um aluno agendar, desmarcar, pedir, pagar ou assinar, você fica sabendo aqui.',
  aluno: 'Quando seu personal mudar uma aula, cobrar ou responder um pedido, você fica sabendo aqui.',
};

/** Addresses of the notification settings. */
const choicesOf = { personal: '/ajustes/notificacoes', aluno: '/aluno/notificacoes/escolher' };

/** The notifications, newest first. A tap marks one as read and opens its page. */
export default function NotificationsPage() {
  const { role: reader } = useSignedIn().membership;
  const notifications = useNotifications(reader);
  const unread = useUnread(reader).data?.total ?? 0;
  const readAll = useReadAll(reader);
  const newest = notifications.data?.pages[0]?.items[0];
  return (
    <Page
      title="Notificações"
      subtitle="Dos últimos 90 dias"
      back={homeOf(reader)}
      width="narrow"
      action={
        <ActionIcon component={Link} to={choicesOf[reader]} aria-label="Escolher notificações">
          <Icon name="settings" />
        </ActionIcon>
      }
    >
      <Elsewhere />
      {unread > 0 && newest && (
        <Button
          variant="default"
          className={classes.readAll}
          loading={readAll.isPending}
          onClick={() =>
            void attempt(() => readAll.mutateAsync({ ate: newest.em }), 'Não foi possível marcar como lidas')
          }
        >
          Marcar todas como lidas
        </Button>
      )}
      <Card flush>
        <InfiniteList
          of={notifications}
          failure="Erro ao carregar notificações"
          empty={
            <Notice icon="bell" title="Nenhuma notificação">
              {empty[reader]}
            </Notice>
          }
        >
          {(items) => items.map((each) => <Told key={each.id} notification={each} reader={reader} />)}
        </InfiniteList>
      </Card>
    </Page>
  );
}

/** Where else the user has unread ones; a tap switches there. */
function Elsewhere() {
  const { memberships } = useSignedIn();
  const unreadOf = useUnreadElsewhere();
  const others = memberships.filter((each) => unreadOf(each) > 0);
  if (others.length === 0) return null;
  return (
    <Card flush>
      {others.map((each) => {
        const place = new URLSearchParams({ personal: each.tenant_id });
        if (each.student_id) place.set('aluno', each.student_id);
        return (
          <Row
            key={idOf(each)}
            lead={<Icon name="people" />}
            title={titleOf(each, memberships)}
            facts={plural(unreadOf(each), 'notificação não lida', 'notificações não lidas')}
            to={`${noticesOf(each.role)}?${place.toString()}`}
          />
        );
      })}
    </Card>
  );
}

function Told({ notification, reader }: { notification: Notification; reader: Reader }) {
  const { id, titulo, texto, endereco, em, lida } = notification;
  const zone = useZone();
  const navigate = useNavigate();
  const { mutate: read } = useRead(reader);
  return (
    <Row
      lead={<span className={classes.mark} data-unread={!lida || undefined} />}
      title={
        <span className={classes.title} data-unread={!lida || undefined}>
          {titulo}
          {!lida && <VisuallyHidden component="span">, não lida</VisuallyHidden>}
        </span>
      }
      facts={
        <>
          {texto && <span className={classes.line}>{texto}</span>}
          <span className={classes.line}>{formatMoment(em, zone)}</span>
        </>
      }
      onClick={() => {
        if (!lida) read(id);
        void navigate(endereco);
      }}
    />
  );
}
