import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { areaLink } from '../../lib/area-link.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Balance } from './balance.js';
import { useOwnBalance } from './credits.queries.js';

/** What the student who is signed in has left, and what of it expires when. */
export function OwnBalance() {
  return (
    <Section
      title="Créditos"
      action={
        areaLink() === null && (
          <Button component={Link} to="/aluno/extrato" variant="subtle" size="sm">
            Ver extrato
          </Button>
        )
      }
    >
      <Async of={useOwnBalance()} skeleton={<Skeletons count={1} height={110} />}>
        {(account) => <Balance account={account} />}
      </Async>
    </Section>
  );
}
