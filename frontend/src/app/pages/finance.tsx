import { Advisor } from '../../features/advisor/advisor.js';
import WaitingPix from '../../features/charges/waiting-pix.js';
import { FinancePage } from '../../features/finance/finance-page.js';

export default function Finance() {
  return <FinancePage advisor={<Advisor />} waiting={<WaitingPix />} />;
}
