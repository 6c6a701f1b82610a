import { NotificationsPage } from '../../features/notifications/notifications-page.js';

export default function OwnNotifications() {
  return <NotificationsPage reader="aluno" back="/aluno" choices="/aluno/notificacoes/escolher" />;
}
