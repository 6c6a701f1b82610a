import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Profile } from '../../../../backend/modules/accounts/profile.api.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { ChangeEmail } from './change-email.js';
import { PendingEmail } from './pending-email.js';

/** The e-mail address, and its pending change. */
export function EmailSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false);
  const { email, troca_de_email: change } = profile;
  return (
    <Section
      title="E-mail"
      action={
        !change && (
          <Button size="sm" variant="subtle" onClick={() => setChanging(true)}>
            Trocar e-mail
          </Button>
        )
      }
    >
      <Card flush>
        <Row title={email} facts="É com ele que você entra" />
        {change && <PendingEmail current={email} change={change} />}
      </Card>
      {changing && <ChangeEmail current={email} onClose={() => setChanging(false)} />}
    </Section>
  );
}
