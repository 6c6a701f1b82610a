import { signOut } from '../../features/accounts/sign-out.js';
import { SettingsPage } from '../../features/settings/settings-page.js';
import { toast } from '../../ui/toast.js';
import classes from '../app.module.css';
import { SupportLink, supportUrl } from '../support-link.js';
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

/** The link to support; where there is no address it says what to do. */
function SupportButton() {
  if (supportUrl) return <SupportLink />;
  const explain = () =>
    toast.error('O suporte ainda não foi configurado', {
      description: 'Fale com quem cuida do seu Rende.',
    });
  return (
    <button type="button" className={classes.link} onClick={explain}>
      Suporte
    </button>
  );
}
