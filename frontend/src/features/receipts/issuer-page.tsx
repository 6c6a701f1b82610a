import { useLocation, useNavigate } from 'react-router-dom';
import { IssuerForm } from '../../parts/issuer-form.js';
import { useReceiptIssuer } from '../../parts/quick-receipt.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';

/** What receipts and contracts say of the trainer. */
export default function IssuerPage() {
  const navigate = useNavigate();
  const isFirstPage = useLocation().key === 'default';
  // Back to the contract or the settings that it was opened from.
  const leave = () => void (isFirstPage ? navigate('/ajustes') : navigate(-1));
  return (
    <Page title="Recibos e contratos" back="/ajustes" width="narrow">
      <Card>
        <Async of={useReceiptIssuer()} skeleton={<Skeletons count={4} height={64} />}>
          {({ emitente, nome, cpf }) => <IssuerForm issuer={emitente} name={nome} cpf={cpf} onDone={leave} />}
        </Async>
      </Card>
    </Page>
  );
}
