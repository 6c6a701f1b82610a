import type { OwnContracts as Answer } from '../../../../backend/modules/contracts/contracts.api.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { ContractRow } from './contract-row.js';
import { useOwnContracts } from './own-contracts.queries.js';
import { isToSign, ownState } from './words.js';

/** Contracts that the student has to sign or has signed. */
export function OwnContracts() {
  return (
    <Async of={useOwnContracts()} skeleton={<Skeletons count={1} />} failure="Erro ao carregar contratos">
      {({ items }) =>
        items.length === 0 ? (
          <Card>
            <Notice icon="shield" title="Nenhum contrato para assinar" />
          </Card>
        ) : (
          <Card flush>
            {items.map((contract) => (
              <Contract key={contract.id} contract={contract} />
            ))}
          </Card>
        )
      }
    </Async>
  );
}

/** Contracts that wait for the student's signature, with a link to all others. */
export function ContractsToSign() {
  return (
    <Section title="Contratos e Termos">
      <Async of={useOwnContracts()} skeleton={<Skeletons count={1} />} failure="Erro ao carregar contratos">
        {({ items }) => {
          const waiting = items.filter(({ estado }) => isToSign(estado));
          const others = items.length - waiting.length;
          return (
            <Card flush>
              {waiting.map((contract) => (
                <Contract key={contract.id} contract={contract} />
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

function Contract({
  contract: { id, titulo, estado, enviado_em, encerrado_em, link },
}: {
  contract: Answer['items'][number];
}) {
  return (
    <ContractRow
      to={link ?? `/aluno/contratos/${id}`}
      titulo={titulo}
      state={ownState(estado)}
      at={encerrado_em ?? enviado_em}
    />
  );
}
