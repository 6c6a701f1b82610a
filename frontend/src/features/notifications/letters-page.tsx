import { Button } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import type {
  LetterLink,
  LetterScope,
  SwitchedOff,
} from '../../../../backend/modules/letters/letters.api.js';
import { useAnswer } from '../../lib/answer.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { Card } from '../../ui/card.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Loading } from '../../ui/loading.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { ErrorState } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const LETTERS = reads('letters', []);

const useLetterLink = (token: string) =>
  useAnswer([LETTERS, token], 'GET /letter-links/:token', { of: [token] });

const letters: Readonly<Record<SwitchedOff, string>> = {
  lembretes: 'lembretes de aula',
  creditos: 'avisos de créditos perto do vencimento',
  vencimentos: 'lembretes de pagamento',
  assinaturas: 'lembretes de contrato para assinar',
};

/** Page to unsubscribe from mails. Opening it changes nothing, because mail programs open links by themselves. */
export default function LettersPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <main>
        <Page title="E-mails do Rende" width="narrow">
          <Content />
        </Page>
      </main>
    </QueryClientProvider>
  );
}

function Content() {
  const { token = '' } = useParams();
  const { data, error, refetch } = useLetterLink(token);
  if (error instanceof ProblemError && error.status === 404) return <DeadLink />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return <Choice token={token} link={data} />;
}

function Choice({ token, link }: { token: string; link: LetterLink }) {
  const { tipo, personal, ativo, personal_ativo } = link;
  return (
    <>
      {tipo !== null && (
        <Switch
          token={token}
          alvo="tipo"
          ativo={ativo}
          what={letters[tipo]}
          on={`São e-mails que ${personal} envia pelo Rende.`}
          off={`De ${personal} continuam chegando os outros e-mails, como reservas, recibos e contratos.`}
        />
      )}
      <Switch
        token={token}
        alvo="personal"
        ativo={personal_ativo}
        what={`e-mails de ${personal}`}
        on={`São todos os e-mails que ${personal} envia pelo Rende, como reservas, recibos e contratos.`}
        off={`${personal} não pode mais enviar e-mails para este endereço pelo Rende. Os códigos que você pedir continuam chegando.`}
      />
    </>
  );
}

interface SwitchProps {
  token: string;
  alvo: LetterScope;
  ativo: boolean;
  /** What is received. */
  what: string;
  on: string;
  off: string;
}

function Switch({ token, alvo, ativo, what, on, off }: SwitchProps) {
  const { mutateAsync, isPending } = useSend('POST /letter-links');
  const change = () => void attempt(() => mutateAsync({ token, alvo, ativo: !ativo }), 'Erro ao salvar');
  return (
    <Card>
      <Notice
        icon={ativo ? 'bell' : 'check'}
        title={ativo ? `Você recebe ${what}` : `Você não recebe mais ${what}`}
        role="status"
        action={
          <Button
            variant={ativo ? 'filled' : 'default'}
            loading={isPending}
            onClick={change}
            aria-label={`${ativo ? 'Não receber mais' : 'Voltar a receber'}: ${what}`}
          >
            {ativo ? 'Não receber mais' : 'Voltar a receber'}
          </Button>
        }
      >
        {ativo ? on : off}
      </Notice>
    </Card>
  );
}
