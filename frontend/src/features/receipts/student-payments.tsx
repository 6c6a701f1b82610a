import type { OwnPayment } from '../../../../backend/modules/receipts/own-payments.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { formatDay, type Moment, monthOf } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Skeletons } from '../../ui/states.js';
import { usePaymentsOf } from './receipts.queries.js';

interface StudentPaymentsProps {
  studentId: string;
  /** Shows them as they were. */
  moment?: Moment;
}

/** Everything that was received from a student, charged or not; each leads to its receipt. */
export function StudentPayments({ studentId, moment }: StudentPaymentsProps) {
  return (
    <Section title="Recebido">
      <Card flush>
        <InfiniteList
          of={usePaymentsOf(studentId, moment?.at)}
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
