import { Button, TextInput } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Verification } from '../../../../backend/modules/contracts/contracts.api.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { ErrorState } from '../../ui/states.js';
import { useVerification } from './contracts.queries.js';
import classes from './contracts.module.css';
import { VerifyFile } from './verify-file.js';
import { exactMoment } from './moment.js';

const results: Record<Verification['resultado'], { title: string; text: string; icon: 'check' | 'alert' }> = {
  valido: { title: 'Assinatura válida', text: 'Confere com um contrato assinado.', icon: 'check' },
  retirado: {
    title: 'Assinatura cancelada',
    text: 'Quem assinou desistiu do contrato no prazo de 7 dias.',
    icon: 'alert',
  },
  sem_responsavel: {
    title: 'Assinatura incompleta',
    text: 'Falta a assinatura do responsável: quem assinou tinha menos de 18 anos.',
    icon: 'alert',
  },
  substituido: {
    title: 'Assinatura substituída',
    text: 'Uma versão mais nova deste contrato foi assinada depois.',
    icon: 'alert',
  },
};

interface VerifyPageProps {
  /** Shows the receipt with this code. */
  receipt: (code: string) => ReactNode;
}

/** Verifies a signature or a receipt by its code, for anybody. */
export function VerifyPage({ receipt }: VerifyPageProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <main>
        <Verify receipt={receipt} />
      </main>
    </QueryClientProvider>
  );
}

/** A receipt's code has the format of a contract's, with an R in front. */
const isReceipt = (code: string) => /^R[A-Z\d]{16}$/.test(code.toUpperCase().replace(/[^A-Z\d]/g, ''));

function Verify({ receipt }: VerifyPageProps) {
  const { code = '' } = useParams();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(code);
  const ofReceipt = isReceipt(code);
  const { data, error, refetch } = useVerification(ofReceipt ? '' : code);
  const isUnknown = error instanceof ProblemError && error.status === 404;
  return (
    <Page title="Verificar documento" width="narrow">
      <Card>
        <form
          className={classes.stack}
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) void navigate(`/verificar/${encodeURIComponent(typed.trim())}`);
          }}
        >
          <TextInput
            label="Código de verificação"
            placeholder="XXXX-XXXX-XXXX-XXXX"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit">Verificar</Button>
        </form>
      </Card>
      <div role="status">
        {ofReceipt && receipt(code)}
        {isUnknown && (
          <Notice icon="search" title="Código desconhecido">
            Confira o código. Nenhuma assinatura tem este código.
          </Notice>
        )}
        {error && !isUnknown && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && <Result verification={data} />}
      </div>
      <VerifyFile receipt={receipt}>{(verification) => <Result verification={verification} />}</VerifyFile>
    </Page>
  );
}

function Result({ verification }: { verification: Verification }) {
  const { title, text, icon } = results[verification.resultado];
  return (
    <Card>
      <Notice icon={icon} title={title}>
        {text}
      </Notice>
      <Facts
        of={[
          ['Assinado por', verification.iniciais],
          ['Quando', exactMoment(verification.assinado_em)],
          ['Versão', verification.versao],
          [
            'Carimbo do tempo',
            verification.carimbo_em && `${exactMoment(verification.carimbo_em)} (RFC 3161)`,
          ],
          ['SHA-256 do conteúdo', <span className={classes.mono}>{verification.conteudo_hash}</span>],
          ['Posição no registro', verification.posicao],
          ['SHA-256 do registro', <span className={classes.mono}>{verification.evento_hash}</span>],
        ]}
      />
    </Card>
  );
}
