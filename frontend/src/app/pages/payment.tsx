import { OpenPage } from '../../features/accounts/open-page.js';
import { PaymentPage } from '../../features/charges/payment-page.js';

export default function Payment() {
  return (
    <OpenPage title="Pagamento">
      <PaymentPage />
    </OpenPage>
  );
}
