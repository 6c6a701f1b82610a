import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { OwnContracts as Answer } from '../../../../backend/modules/contracts/contracts.api.js';
import { areaLink } from '../../lib/area-link.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { ContractRow } from './contract-row.js';
import { MailedCode } from './mailed-code.js';
import { useOwnContracts } from './own-contracts.queries.js';
import { isToSign, ownState } from './words.js';

/** Contracts that the student has to sign or has signed. */
export function OwnContracts() {
  return (
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
  const [opened, setOpened] = useState(false);
  const shown = { titulo, state: ownState(estado), at: encerrado_em ?? enviado_em };
  if (areaLink() === null) return <ContractRow to={`/aluno/contratos/${id}`} {...shown} />;
  return (
    <>
      <ContractRow onClick={() => setOpened(true)} {...shown} />
      <Sheet opened={opened} onClose={() => setOpened(false)} title={titulo} withoutAddress>
        {opened && <ToSigningPage id={id} para={codigo_para} />}
      </Sheet>
    </>
  );
}

/** The link of the area may have been forwarded: a mailed code opens the signing page. */
function ToSigningPage({ id, para }: { id: string; para: string | null }) {
  const [enviado, setSent] = useState(false);
  const navigate = useNavigate();
  if (para === null)
    return (
      <Notice icon="shield" title="Peça o link para assinar">
        Não há e-mail no seu cadastro: seu personal manda pelo WhatsApp o link para ler e assinar.
      </Notice>
    );
  return (
    <MailedCode
      reader={{ as: 'student', id }}
      state={{ para, enviado, confirmado: false }}
      onSent={() => setSent(true)}
      onConfirmed={(_code, link) => link !== null && void navigate(link)}
    />
  );
}
