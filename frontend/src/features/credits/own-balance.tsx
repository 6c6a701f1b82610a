import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { ownPath } from '../../lib/area-link.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Balance } from './balance.js';
import { useOwnBalance } from './own-balance.queries.js';

/** The student's own balance, with expiries. */
export function OwnBalance() {
  return (
    <Section
      title="Créditos"
      action={
        <Button component={Link} to={ownPath('/extrato')} variant="subtle" size="sm">
          Ver extrato
        </Button>
      }
    >
      <Async of={useOwnBalance()} skeleton={<Skeletons count={1} height={110} />}>
        {(account) => <Balance account={account} />}
      </Async>
    </Section>
  );
}
