import { signOut } from '../../features/accounts/sign-out.js';
import { SettingsPage } from '../../features/settings/settings-page.js';
import { SupportButton } from '../support-link.js';
import { useSignedIn } from '../../lib/me.js';
import { titleOf, useMembershipChoice } from '../use-membership-choice.js';

export default function Settings() {
  const { user, membership, memberships } = useSignedIn();
  const choose = useMembershipChoice();
  return (
    <SettingsPage
      userId={user.id}
      name={user.nome}
      email={user.email}
      others={memberships
        .filter(({ tenant_id }) => tenant_id !== membership.tenant_id)
        .map((each) => ({ id: each.tenant_id, title: titleOf(each), choose: () => choose(each) }))}
      onSignOut={() => void signOut()}
      support={<SupportButton />}
    />
  );
}
