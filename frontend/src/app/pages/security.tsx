import { SecurityPage } from '../../features/accounts/security-page.js';
import { accountOf, useSignedIn } from '../me-context.js';

export default function Security() {
  const { membership } = useSignedIn();
  return <SecurityPage back={accountOf[membership.role].account} />;
}
