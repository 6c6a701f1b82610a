import { signOut } from '../../features/accounts/sign-out.js';
import { SettingsPage } from '../../features/settings/settings-page.js';
import { useSignedIn } from '../me-context.js';

export default function Settings() {
  const { user } = useSignedIn();
  return <SettingsPage name={user.nome} email={user.email} onSignOut={() => void signOut()} />;
}
