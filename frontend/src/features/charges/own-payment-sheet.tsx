import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { OwnCharge, OwnCharges } from '../../../../backend/modules/charges/charges.api.js';
import { ownPath } from '../../lib/area-link.js';
import { whenReachable } from '../../lib/chunks.js';
import { useSend } from '../../lib/command.js';
import { dueDay } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { Why } from '../../parts/why.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt } from '../../ui/toast.js';
import classes from './charges.module.css';
import { copyPixCode } from './copy-pix-code.js';
import { todayFacts } from './today-facts.js';
import { useWatchedCharges } from './own-charges.queries.js';

const QrCode = lazy(() => whenReachable(() => import('../../ui/qr-code.js')));

interface OwnPaymentSheetProps {
  /** Undefined while the sheet is closed. */
  charge: OwnCharge | undefined;
  /** It is paid: the sheet was open until the payment was seen. */
  paid: OwnCharges['pagas'][number] | undefined;
  onClose: () => void;
}

/** The same as the page of the charge's link (`payment-page.html.ts`). */
export default function OwnPaymentSheet({ charge, paid, onClose }: OwnPaymentSheetProps) {
  const title = charge
    ? `${charge.pix ? 'Pix' : 'Cobrança'} de ${formatMoney(charge.hoje.total)}`
    : paid
      ? 'Pagamento confirmado'
      : '';
  return (
    <Sheet opened={title !== ''} onClose={onClose} title={title}>
      {charge && <Payment charge={charge} />}
      {paid && <Paid charge={paid} />}
    </Sheet>
  );
}

const receipts = (variant: 'filled' | 'default') => (
  <Button component={Link} to={ownPath('/pagamentos')} variant={variant}>
    Ver pagamentos e recibos
  </Button>
);

function Paid({ charge: { descricao, pago } }: { charge: OwnCharges['pagas'][number] }) {
  return (
    <Notice icon="check" title={`Recebemos ${formatMoney(pago)}`} role="status" action={receipts('filled')}>
      {descricao}
    </Notice>
  );
}

function Payment({ charge }: { charge: OwnCharge }) {
  const { id, descricao, valor, pago, falta, hoje, vencimento, pix, recebe, avisada, adiante } = charge;
  useWatchedCharges();
  const today = useToday();
  const claim = useSend('POST /student/charges/:id/claim', id);
  return (
    <div className={classes.pay}>
      <p className={classes.state}>{`${descricao} · ${dueDay(vencimento, today)}`}</p>
      <Facts of={todayFacts(charge)} />
      {adiante.length > 0 && <Quiet size="xs">{adiante.join(' ')}</Quiet>}
      <Why of={`charge:${id}`} isOwn />
      {pago > 0 && (
        <>
          <p role="status" className={classes.state}>
            {`Recebemos ${formatMoney(pago)} de ${formatMoney(valor)}. Falta pagar ${formatMoney(falta)}.`}
          </p>
          {receipts('default')}
        </>
      )}
      {pix && recebe ? (
        <>
          <ol className={classes.steps}>
            <li>
              <p>Copie o código</p>
              <Button
                fullWidth
                onClick={() => void copyPixCode(pix)}
                leftSection={<Icon name="copy" size={18} />}
              >
                Copiar código Pix
              </Button>
              <p className={classes.code}>{pix}</p>
            </li>
            <li>
              <p>Abra o app do seu banco, em Pix copia e cola</p>
            </li>
            <li>
              <p>Confira o nome e pague</p>
              <Facts
                of={[
                  ['Quem recebe', recebe.nome],
                  ['Documento', recebe.documento],
                  ['Banco', recebe.banco],
                  ['Valor', <Money key="valor" cents={hoje.total} />],
                ]}
              />
            </li>
          </ol>
          <section>
            <Quiet size="xs">Ou escaneie o QR Code com o app do banco em outro aparelho.</Quiet>
            <Suspense fallback={<Loading />}>
              <QrCode text={pix} label="Pix" />
            </Suspense>
          </section>
        </>
      ) : (
        <Quiet size="xs">Combine a forma de pagamento com seu personal.</Quiet>
      )}
      {avisada || claim.isSuccess ? (
        <p role="status">
          <Icon name="check" size={18} /> Aviso enviado. Seu personal confirma assim que o pagamento aparecer.
        </p>
      ) : (
        <Button
          variant="default"
          loading={claim.isPending}
          onClick={() => void attempt(() => claim.mutateAsync(), 'Não foi possível avisar')}
        >
          Já paguei
        </Button>
      )}
      <Quiet size="xs">Aqui aparece quando o pagamento for confirmado.</Quiet>
    </div>
  );
}
