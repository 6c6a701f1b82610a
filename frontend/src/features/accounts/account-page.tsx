import type { ReactNode } from 'react';
import { Card } from '../../ui/card.js';
import { Initials } from '../../ui/initials.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useProfile } from './account.queries.js';
import { EmailSection } from './email-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileForm } from './profile-form.js';
import { useReturn } from './use-return.js';

interface AccountPageProps {
  userId: string;
  back: string;
  /** Where the page Segurança is. */
  security: string;
  /** What else there is about the account, at the end. */
  children?: ReactNode;
}

/** "Conta": who the person is, and with what they sign in. */
export function AccountPage({ userId, back, security, children }: AccountPageProps) {
  const profile = useProfile();
  useReturn();
  return (
    <Page title="Conta" back={back} width="narrow">
      <Async of={profile} skeleton={<Skeletons count={3} height={160} />}>
        {(data) => (
          <>
            <Card flush>
              <Row lead={<Initials id={userId} name={data.nome} />} title={data.nome} facts={data.email} />
            </Card>
            <Section title="Perfil">
              <ProfileForm
                key={JSON.stringify([data.nome, data.telefone, data.data_nascimento, data.cpf])}
                profile={data}
              />
            </Section>
            <EmailSection profile={data} />
            <PasswordSection profile={data} />
            <Section title="Segurança">
              <Card flush>
                <Row
                  to={security}
                  title="Segurança"
                  facts="Verificação em duas etapas, aparelhos e acessos"
                />
              </Card>
            </Section>
            {children}
          </>
        )}
      </Async>
    </Page>
  );
}
