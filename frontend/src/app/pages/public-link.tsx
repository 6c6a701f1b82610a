import { useProfile } from '../../features/accounts/account.queries.js';
import { PublicLinkPage } from '../../features/public-link/public-link-page.js';

export default function PublicLink() {
  const profile = useProfile();
  return <PublicLinkPage phone={profile.isLoading ? undefined : (profile.data?.telefone ?? null)} />;
}
