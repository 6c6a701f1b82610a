import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import type { PaymentPage as Shown } from '../../../../backend/modules/charges/charges.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { formatDate } from '../../lib/dates.js';
import { Card } from '../../ui/card.js';
import { ProblemError } from '../../lib/problem.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './charges.module.css';
import { copyPixCode } from './copy-pix-code.js';
import { reads } from '../../lib/topics.js';

const PAY = reads('pay', []);

/** The public page of a charge's link: what is due, and how to pay it. */
export function PaymentPage() {
  const { token = '' } = useParams();
  const page = useQuery({
    queryKey: [PAY, token],
    queryFn: ({ signal }) => read('GET /pay/:token', { of: [token], signal }),
  });
  if (page.error instanceof ProblemError && page.error.status === 404) return <DeadLink />;
  // If it cannot be read again, the charge and its code stay visible.
  if (page.error && !page.data) return <ErrorState error={page.error} onRetry={() => void page.refetch()} />;
  if (!page.data)
    return (
      <>
        <Logo size={36} withName />
        <Loading />
      </>
    );
  return <Payment token={token} charge={page.data} />;
}

function Payment({ token, charge }: { token: string; charge: Shown }) {
  if (charge.situacao === 'paga')
    return (
      <Notice icon="check" title="Pagamento confirmado" wholePage>
        {charge.primeiro_nome}, {charge.personal} já recebeu. Obrigado!
      </Notice>
    );
  if (charge.situacao === 'cancelada')
    return (
      <Notice icon="close" title="Cobrança cancelada" wholePage>
        Não é preciso pagar. Em caso de dúvida, fale com {charge.personal}.
      </Notice>
    );
  return (
    <>
      <header>
        <Logo size={36} withName />
        <h1 className={classes.who}>Olá, {charge.primeiro_nome}!</h1>
        <p className={classes.quiet}>{charge.personal} enviou esta cobrança</p>
        <p className={classes.due}>
          <Money cents={charge.falta} />
        </p>
        <p>
          {charge.descricao}
          <br />
          {charge.situacao === 'vencida' ? 'Venceu' : 'Vence'} em {formatDate(charge.vencimento)}
        </p>
      </header>
      <Card className={classes.pay}>
        {charge.pix ? (
          <Pix {...charge.pix} />
        ) : (
          <p className={classes.quiet}>Combine a forma de pagamento com {charge.personal}.</p>
        )}
        <Claim token={token} claimed={charge.avisada} personal={charge.personal} />
      </Card>
    </>
  );
}

function Pix({ codigo, qr }: { codigo: string; qr: string }) {
  return (
    <>
      <Button onClick={() => void copyPixCode(codigo)} leftSection={<Icon name="copy" size={18} />}>
        Copiar código Pix
      </Button>
      <p className={`${classes.link} ${classes.code}`}>{codigo}</p>
      <img className={classes.qr} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt="QR Code do Pix" />
    </>
  );
}

function Claim({ token, claimed, personal }: { token: string; claimed: boolean; personal: string }) {
  const { mutateAsync, isPending, isSuccess } = useSend('POST /pay/claim');
  if (claimed || isSuccess)
    return (
      <p role="status">
        <Icon name="check" size={18} /> {personal} foi avisado e confirma assim que o pagamento aparecer.
      </p>
    );
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => void attempt(() => mutateAsync({ token }), 'Não foi possível avisar')}
    >
      Já paguei
    </Button>
  );
}
