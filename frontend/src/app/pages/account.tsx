import { AccountPage } from '../../features/accounts/account-page.js';
import { accountOf, useSignedIn } from '../me-context.js';

export default function Account() {
  const { user, membership } = useSignedIn();
  const { back, security } = accountOf[membership.role];
  return <AccountPage userId={user.id} back={back} security={security} />;
}
