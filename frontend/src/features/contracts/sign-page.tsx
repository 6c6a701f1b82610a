import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { QueryClientProvider } from '@tanstack/react-query';
import type { Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { useAuth } from '../../lib/auth.js';
import { queryClient } from '../../lib/query-client.js';
import { ProblemError } from '../../lib/problem.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Loading } from '../../ui/loading.js';
import { Page } from '../../ui/page.js';
import { ErrorState } from '../../ui/states.js';
import { useSignable, type Reader } from './contracts.queries.js';
import { SignerProof } from './signer-proof.js';
import { Signing } from './signing.js';

/** A contract behind its link: no account is needed. */
export default function SignPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <main>
        <Contract />
      </main>
    </QueryClientProvider>
  );
}

function Contract() {
  const { token = '' } = useParams();
  const auth = useAuth();
  const [shown, setShown] = useState<{ cpf: string; contract: Signable }>();
  const reader: Reader = { as: 'link', token, cpf: shown?.cpf };
  const contract = useSignable(reader, auth.status !== 'loading' && !shown);
  const { error } = contract;
  const data = shown?.contract ?? contract.data;
  if (!data && error instanceof ProblemError && error.status === 404) return <DeadLink />;
  return (
    <Page
      title={data?.titulo ?? 'Contrato para assinar'}
      subtitle={data && `Enviado por ${data.personal}`}
      width="narrow"
    >
      {data?.pede_cpf && data.prova ? (
        <SignerProof
          token={token}
          signedAt={data.prova.assinado_em}
          onShown={(cpf, contract) => setShown({ cpf, contract })}
        />
      ) : data ? (
        <Signing contract={data} reader={reader} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void contract.refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
