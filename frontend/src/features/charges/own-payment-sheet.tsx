import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { OwnCharge } from '../../../../backend/modules/charges/charges.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Money } from '../../ui/money.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt } from '../../ui/toast.js';
import classes from './charges.module.css';
import { copyPixCode } from './copy-pix-code.js';
import { useClaimPayment } from './own-charges.queries.js';

const QrCode = lazy(() => whenReachable(() => import('../../ui/qr-code.js')));

interface OwnPaymentSheetProps {
  /** Undefined while the sheet is closed. */
  charge: OwnCharge | undefined;
  onClose: () => void;
}

export default function OwnPaymentSheet({ charge, onClose }: OwnPaymentSheetProps) {
  return (
    <Sheet opened={charge !== undefined} onClose={onClose} title="Pagar" withoutAddress>
      {charge && <Payment charge={charge} />}
    </Sheet>
  );
}

function Payment({ charge: { id, descricao, falta, pix, avisada } }: { charge: OwnCharge }) {
  const claim = useClaimPayment(id);
  return (
    <div className={classes.pay}>
      <p className={classes.due}>
        <Money cents={falta} />
      </p>
      <p className={classes.quiet}>{descricao}</p>
      {pix ? (
        <>
          <Button onClick={() => void copyPixCode(pix)} leftSection={<Icon name="copy" size={18} />}>
            Copiar código Pix
          </Button>
          <p className={`${classes.link} ${classes.code}`}>{pix}</p>
          <Suspense fallback={<Loading />}>
            <QrCode text={pix} label="Pix" />
          </Suspense>
        </>
      ) : (
        <p className={classes.quiet}>Combine a forma de pagamento com seu personal.</p>
      )}
      {avisada || claim.isSuccess ? (
        <p role="status">
          <Icon name="check" size={18} /> Seu personal foi avisado e confirma assim que o pagamento aparecer.
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
    </div>
  );
}
