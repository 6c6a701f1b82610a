import { Button } from '@mantine/core';
import { chargeAddress } from '../../lib/charge-address.js';
import { Link } from 'react-router-dom';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { ChargeRow } from './charge-row.js';
import { useCharges } from './charges.queries.js';

export const useOpenCharges = () => useCharges({ situacao: 'a_receber', limit: 3 });

/** Open charges, earliest due date first; renders nothing if there are none. */
export function OpenCharges() {
  const charges = useOpenCharges();
  const items = charges.data?.pages[0]?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section
      title="A receber"
      action={
        <Button component={Link} to="/cobrancas" size="sm" variant="subtle">
          Ver todas
        </Button>
      }
    >
      <Card flush>
        {items.map((item) => (
          <ChargeRow key={item.id} charge={item} to={chargeAddress(item.id)} />
        ))}
      </Card>
    </Section>
  );
}
