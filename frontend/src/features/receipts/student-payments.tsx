import type { OwnPayment, OwnPayments } from '../../../../backend/modules/receipts/own-payments.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { read } from '../../lib/calls.js';
import { formatDay, type Moment, monthOf } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Skeletons } from '../../ui/states.js';

const PAYMENTS = reads('student-payments', ['transactions', 'charges', 'receipts']);
/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-student-payments', []);

interface StudentPaymentsProps {
  studentId: string;
  /** Shows them as they were. */
  moment?: Moment;
}

/** Everything that was received from a student, charged or not; each leads to its receipt. */
export function StudentPayments({ studentId, moment }: StudentPaymentsProps) {
  const at = moment?.at;
  const payments = usePaged<OwnPayment, OwnPayments>(
    [at ? PAST : PAYMENTS, studentId, at],
    (cursor, signal) =>
      read('GET /students/:id/payments', { of: [studentId], query: { cursor, limit: 5, at }, signal }),
  );
  return (
    <Section title="Recebido">
      <Card flush>
        <InfiniteList
          of={payments}
          manual
          failure="Erro ao carregar pagamentos"
          skeleton={<Skeletons count={2} />}
          empty={<Notice icon="wallet" title="Nada recebido ainda" />}
        >
          {(items) => items.map((payment) => <Payment key={payment.id} payment={payment} moment={moment} />)}
        </InfiniteList>
      </Card>
    </Section>
  );
}

function Payment({
  payment: { id, data, valor, metodo_pagamento, descricao, recibo },
  moment,
}: {
  payment: OwnPayment;
  moment: Moment | undefined;
}) {
  const facts = [
    formatDay(data, useToday()),
    methodNames[metodo_pagamento],
    recibo !== null && `recibo nº ${recibo.numero}`,
  ];
  return (
    <Row
      to={inPast(`/financeiro?mes=${monthOf(data)}&transacao=${id}`, moment)}
      title={descricao ?? 'Pagamento'}
      facts={facts.filter(Boolean).join(' · ')}
      trail={<Money cents={valor} />}
    />
  );
}
