import { NotificationSettingsPage } from '../../features/notifications/settings-page.js';
import { useSignedIn } from '../me-context.js';

export default function NotificationSettings() {
  const { user } = useSignedIn();
  return <NotificationSettingsPage reader="personal" userId={user.id} back="/ajustes" />;
}
