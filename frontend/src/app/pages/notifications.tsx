import { NotificationsPage } from '../../features/notifications/notifications-page.js';

export default function Notifications() {
  return <NotificationsPage reader="personal" back="/" choices="/ajustes/notificacoes" />;
}
