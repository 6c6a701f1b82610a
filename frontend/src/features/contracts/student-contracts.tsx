import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import type { Moment } from '../../lib/dates.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { ContractRow } from './contract-row.js';
import { useContractsOf } from './contracts.queries.js';
import { states } from './words.js';

const SendToStudent = lazy(() => whenReachable(() => import('./send-to-student.js')));

interface StudentContractsProps {
  studentId: string;
  /** No new contracts can be sent. */
  closed?: boolean;
  /** Shows them as they were. */
  moment?: Moment;
}

/** Contracts that a student has to sign or has signed, for the trainer. */
export function StudentContracts({ studentId, closed, moment }: StudentContractsProps) {
  /** Null until the sheet is first opened. */
  const [isSending, setSending] = useState<boolean | null>(null);
  return (
    <Section
      title="Contratos e Termos"
      action={
        !closed &&
        !moment && (
          <Button size="sm" variant="subtle" onClick={() => setSending(true)}>
            Enviar contrato
          </Button>
        )
      }
    >
      <Card flush>
        <Async
          of={useContractsOf(studentId, moment?.at)}
          skeleton={<Skeletons count={2} />}
          failure="Erro ao carregar contratos"
        >
          {({ items }) =>
            items.length === 0 ? (
              <Notice icon="shield" title="Nenhum contrato enviado" />
            ) : (
              items.map(({ id, titulo, versao, estado, enviado_em, encerrado_em }) => (
                <ContractRow
                  key={id}
                  {...(!moment && { to: `/ajustes/contratos-termos/assinaturas/${id}` })}
                  titulo={titulo}
                  version={versao}
                  state={states[estado]}
                  at={encerrado_em ?? enviado_em}
                />
              ))
            )
          }
        </Async>
      </Card>
      {isSending !== null && (
        <Suspense fallback={null}>
          <SendToStudent studentId={studentId} opened={isSending} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </Section>
  );
}
