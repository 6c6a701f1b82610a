import { AccountPage } from '../../features/accounts/account-page.js';
import { accountOf, useSignedIn } from '../me-context.js';

export default function Account() {
  const { membership } = useSignedIn();
  const { back, security } = accountOf[membership.role];
  return <AccountPage back={back} security={security} />;
}
