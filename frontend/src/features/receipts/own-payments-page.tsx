import { Button } from '@mantine/core';
import { useState } from 'react';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import type { OwnPayment, OwnPayments } from '../../../../backend/modules/receipts/own-payments.api.js';
import { ownPath } from '../../lib/area-link.js';
import { read } from '../../lib/calls.js';
import { formatDay } from '../../lib/dates.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import type { WhyOf } from '../../parts/why.js';
import { WhySheet } from '../../parts/why-sheet.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Row } from '../../ui/row.js';

const OWN_PAYMENTS = reads('own-payments', ['charges', 'transactions', 'receipts', 'payers']);

/** The student's payments, with their receipts. */
export default function OwnPaymentsPage() {
  const payments = usePaged<OwnPayment, OwnPayments>([OWN_PAYMENTS], (cursor, signal) =>
    read('GET /student/payments', { query: { cursor, limit: 20 }, signal }),
  );
  const [asked, ask] = useState<WhyOf>();
  const pagador = payments.data?.pages[0]?.pagador;
  return (
    <Page
      title="Pagamentos e recibos"
      {...(pagador && { subtitle: `Quem paga: ${pagador}` })}
      back={ownPath('')}
      width="narrow"
    >
      <Card flush>
        <InfiniteList
          of={payments}
          failure="Erro ao carregar pagamentos"
          empty={
            <Notice icon="wallet" title="Nenhum pagamento ainda">
              {pagador
                ? `O que for pago pelas aulas aparece aqui. Os recibos saem em nome de ${pagador}.`
                : 'O que você paga aparece aqui, com o recibo quando seu personal emitir.'}
            </Notice>
          }
        >
          {(items) => items.map((payment) => <Payment key={payment.id} payment={payment} onAsk={ask} />)}
        </InfiniteList>
      </Card>
      {asked && <WhySheet of={asked} isOwn onClose={() => ask(undefined)} />}
    </Page>
  );
}

function Payment({
  payment: { id, data, valor, metodo_pagamento, descricao, recibo },
  onAsk,
}: {
  payment: OwnPayment;
  /** Asks why it was paid. */
  onAsk: (of: WhyOf) => void;
}) {
  return (
    <Row
      onClick={() => onAsk(`transaction:${id}`)}
      title={descricao ?? 'Pagamento'}
      facts={`${formatDay(data, useToday())} · ${methodNames[metodo_pagamento]}`}
      trail={<Money cents={valor} />}
      actions={
        recibo !== null && (
          <Button
            component="a"
            href={recibo.caminho}
            target="_blank"
            rel="noreferrer"
            size="sm"
            variant="default"
            aria-label={`Abrir o recibo nº ${recibo.numero}`}
          >
            Recibo
          </Button>
        )
      }
    />
  );
}
