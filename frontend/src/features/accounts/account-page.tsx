import { accountOf, useSignedIn } from '../../lib/me.js';
import { Card } from '../../ui/card.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useProfile } from './account.queries.js';
import { EmailSection } from './email-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileForm } from './profile-form.js';
import { useReturn } from './use-return.js';

/** The page "Conta": the profile, and the ways to sign in. */
export default function AccountPage() {
  const { back, security } = accountOf[useSignedIn().membership.role];
  const profile = useProfile();
  useReturn();
  return (
    <Page title="Conta" back={back} width="narrow">
      <Async of={profile} skeleton={<Skeletons count={3} height={160} />}>
        {(data) => (
          <>
            <Section title="Perfil">
              <ProfileForm profile={data} />
            </Section>
            <EmailSection profile={data} />
            <PasswordSection profile={data} />
            <Card flush>
              <Row to={security} title="Segurança" facts="Verificação em duas etapas, aparelhos e acessos" />
            </Card>
          </>
        )}
      </Async>
    </Page>
  );
}
