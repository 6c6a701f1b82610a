import { Button } from '@mantine/core';
import { chargeAddress } from '../../lib/charge-address.js';
import { Link } from 'react-router-dom';
import type { Moment } from '../../lib/dates.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Skeletons } from '../../ui/states.js';
import { ChargeRow } from './charge-row.js';
import { useCharges } from './charges.queries.js';

interface StudentChargesProps {
  studentId: string;
  planId?: string | null;
  /** No new charges can be made. */
  closed?: boolean;
  /** Shows them as they were. */
  moment?: Moment;
}

/** A student's charges, latest due date first. */
export function StudentCharges({ studentId, planId = null, closed, moment }: StudentChargesProps) {
  return (
    <Section
      title="Cobranças"
      action={
        !closed &&
        !moment && (
          <Button component={Link} to={newChargeOf(studentId, planId)} size="sm" variant="subtle">
            Cobrar
          </Button>
        )
      }
    >
      <Card flush>
        <InfiniteList
          of={useCharges({ student_id: studentId, limit: 5, at: moment?.at })}
          manual
          skeleton={<Skeletons count={2} />}
          empty={<Notice icon="wallet" title="Nenhuma cobrança" />}
        >
          {(items) =>
            items.map((item) => (
              <ChargeRow
                key={item.id}
                charge={item}
                named={false}
                moment={moment}
                to={chargeAddress(item.id)}
              />
            ))
          }
        </InfiniteList>
      </Card>
    </Section>
  );
}

/** Address of the form for a new charge of the student. */
const newChargeOf = (studentId: string, planId: string | null): string =>
  `/cobrancas?novo=cobranca&aluno=${studentId}${planId ? `&plano=${planId}` : ''}`;
