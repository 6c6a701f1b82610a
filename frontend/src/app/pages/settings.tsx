import { signOut } from '../../features/accounts/sign-out.js';
import { SettingsPage } from '../../features/settings/settings-page.js';
import { SupportButton } from '../support-link.js';
import { idOf, useSignedIn, titleOf } from '../../lib/me.js';
import { useMembershipChoice } from '../use-membership-choice.js';

export default function Settings() {
  const { user, membership, memberships } = useSignedIn();
  const choose = useMembershipChoice();
  return (
    <SettingsPage
      userId={user.id}
      name={user.nome}
      email={user.email}
      others={memberships
        .filter((each) => idOf(each) !== idOf(membership))
        .map((each) => ({ id: idOf(each), title: titleOf(each, memberships), choose: () => choose(each) }))}
      onSignOut={() => void signOut()}
      support={<SupportButton />}
    />
  );
}
