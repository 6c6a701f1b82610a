import { useProfile } from '../../features/accounts/account.queries.js';
import { History } from '../../features/audit/history.js';
import { PublicLinkPage } from '../../features/public-link/public-link-page.js';
import { useSignedIn } from '../me-context.js';

export default function PublicLink() {
  const { membership } = useSignedIn();
  const profile = useProfile();
  return (
    <PublicLinkPage
      phone={profile.isLoading ? undefined : (profile.data?.telefone ?? null)}
      history={<History kind="link" id={membership.tenant_id} />}
    />
  );
}
