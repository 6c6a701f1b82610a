import { NotificationSettingsPage } from '../../features/notifications/settings-page.js';
import { useSignedIn } from '../me-context.js';

export default function OwnNotificationSettings() {
  const { user } = useSignedIn();
  return <NotificationSettingsPage reader="aluno" userId={user.id} back="/aluno/notificacoes" />;
}
