import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { QueryClientProvider } from '@tanstack/react-query';
import { useAuth } from '../../lib/auth.js';
import { queryClient } from '../../lib/query-client.js';
import { ProblemError } from '../../lib/problem.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Loading } from '../../ui/loading.js';
import { Page } from '../../ui/page.js';
import { ErrorState } from '../../ui/states.js';
import { usePdfIsMade, useSignable, useSignedByLink } from './contracts.queries.js';
import { SignerProof } from './signer-proof.js';
import { Signing } from './signing.js';

/** A contract opened by its link, without an account. */
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
  // Kept while this page is open, so that a signer is not asked for it again.
  const [cpf, setCpf] = useState<string>();
  const reader = { as: 'link', token, cpf } as const;
  const byLink = useSignable(reader, auth.status !== 'loading' && cpf === undefined);
  const signed = useSignedByLink(token, cpf);
  const contract = cpf === undefined ? byLink : signed;
  const { error } = contract;
  const isMade = usePdfIsMade(token, signed.data?.prova?.tem_pdf === false);
  const data =
    isMade && contract.data?.prova
      ? { ...contract.data, prova: { ...contract.data.prova, tem_pdf: true } }
      : contract.data;
  if (!data && error instanceof ProblemError && error.status === 404) return <DeadLink />;
  return (
    <Page
      title={data?.titulo ?? 'Contrato para assinar'}
      subtitle={data && `Enviado por ${data.personal}`}
      width="narrow"
    >
      {data?.pede_cpf && data.prova ? (
        <SignerProof token={token} estado={data.estado} proof={data.prova} onShown={setCpf} />
      ) : data ? (
        <Signing contract={data} reader={reader} onSigned={setCpf} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void contract.refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
