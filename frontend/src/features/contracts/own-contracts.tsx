import { lazy, Suspense, useState } from 'react';
import type { OwnContracts as Answer } from '../../../../backend/modules/contracts/contracts.api.js';
import { areaLink } from '../../lib/area-link.js';
import { whenReachable } from '../../lib/chunks.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { ContractRow } from './contract-row.js';
import { useOwnContracts } from './own-contracts.queries.js';
import { isToSign, ownState } from './words.js';

const ToSign = lazy(() => whenReachable(() => import('./to-sign.js')));

/** Contracts that the signed-in student has to sign or has signed. */
export default function OwnContractsPage() {
  return (
    <Page title="Contratos e Termos" back="/aluno">
      <Async of={useOwnContracts()} skeleton={<Skeletons count={1} />} failure="Erro ao carregar contratos">
        {({ items, codigo_para }) =>
          items.length === 0 ? (
            <Card>
              <Notice icon="shield" title="Nenhum contrato para assinar" />
            </Card>
          ) : (
            <Card flush>
              {items.map((contract) => (
                <Contract key={contract.id} contract={contract} codigo_para={codigo_para} />
              ))}
            </Card>
          )
        }
      </Async>
    </Page>
  );
}

/** Contracts that wait for the student's signature, with a link to all others. */
export function ContractsToSign() {
  return (
    <Section title="Contratos e Termos">
      <Async of={useOwnContracts()} skeleton={<Skeletons count={1} />} failure="Erro ao carregar contratos">
        {({ items, codigo_para }) => {
          const waiting = items.filter(({ estado }) => isToSign(estado));
          const others = items.length - waiting.length;
          return (
            <Card flush>
              {waiting.map((contract) => (
                <Contract key={contract.id} contract={contract} codigo_para={codigo_para} />
              ))}
              {waiting.length === 0 && others === 0 && <Row title="Nenhum contrato para assinar" />}
              {others > 0 && (
                <Row
                  to="/aluno/contratos"
                  title="Todos os contratos"
                  facts={waiting.length === 0 && 'Nenhum contrato para assinar'}
                />
              )}
            </Card>
          );
        }}
      </Async>
    </Section>
  );
}

interface ContractProps {
  contract: Answer['items'][number];
  codigo_para: string | null;
}

function Contract({
  contract: { id, titulo, estado, enviado_em, encerrado_em },
  codigo_para,
}: ContractProps) {
  /** Null until the sheet is first opened. */
  const [opened, setOpened] = useState<boolean | null>(null);
  const shown = { titulo, state: ownState(estado), at: encerrado_em ?? enviado_em };
  if (areaLink() === null) return <ContractRow to={`/aluno/contratos/${id}`} {...shown} />;
  return (
    <>
      <ContractRow onClick={() => setOpened(true)} {...shown} />
      {opened !== null && (
        <Suspense fallback={null}>
          <ToSign
            id={id}
            titulo={titulo}
            opened={opened}
            para={codigo_para}
            onClose={() => setOpened(false)}
          />
        </Suspense>
      )}
    </>
  );
}
