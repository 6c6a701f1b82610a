import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { ownPath } from '../../lib/area-link.js';
import { whenReachable } from '../../lib/chunks.js';
import { dueDay } from '../../lib/dates.js';
import { useShown } from '../../lib/shown.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useOwnCharges } from './own-charges.queries.js';

/** Loaded at the first tap, and kept mounted for the closing animation. */
const OwnPaymentSheet = lazy(() => whenReachable(() => import('./own-payment-sheet.js')));

/** The signed-in student's open charges, and how to pay them. */
export function OwnCharges() {
  const today = useToday();
  const charges = useOwnCharges();
  const [chosen, choose] = useShown('pagar');
  const [wasOpened, setOpened] = useState(false);
  if (chosen !== null && !wasOpened) setOpened(true);
  const { items = [], pagas = [], conta } = charges.data ?? {};
  const isShown = ({ id }: { id: string }) => id === chosen;
  return (
    <Section
      title="A pagar"
      action={
        <Button component={Link} to={ownPath('/pagamentos')} variant="subtle" size="sm">
          Pagamentos e recibos
        </Button>
      }
    >
      <Async of={charges} skeleton={<Skeletons count={1} />}>
        {() =>
          // "Tudo em dia" would contradict the button below.
          (items.length > 0 || !conta) && (
            <Card flush>
              {items.length === 0 && <Row title="Tudo em dia" />}
              {items.map(({ id, descricao, hoje, vencimento, avisada }) => (
                <Row
                  key={id}
                  to={`?pagar=${id}`}
                  title={descricao}
                  facts={`${dueDay(vencimento, today)}${avisada ? ' · pagamento avisado' : ''}`}
                  trail={<Money cents={hoje.total} strong />}
                />
              ))}
            </Card>
          )
        }
      </Async>
      {conta && (
        <Button component="a" href={conta.link} fullWidth>
          <span>
            Pagar tudo de {conta.alunos}: <Money cents={conta.total} />
          </span>
        </Button>
      )}
      {wasOpened && (
        <Suspense>
          <OwnPaymentSheet
            charge={items.find(isShown)}
            paid={pagas.find(isShown)}
            onClose={() => choose(null)}
          />
        </Suspense>
      )}
    </Section>
  );
}
