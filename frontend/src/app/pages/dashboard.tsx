import { DashboardPage } from '../../features/agenda/dashboard-page.js';
import { LowCreditsList } from '../../features/credits/low-credits.js';
import { MonthGlance } from '../../features/finance/month-glance.js';
import { useSignedIn } from '../me-context.js';

export default function Dashboard() {
  const { user } = useSignedIn();
  return (
    <DashboardPage name={user.nome} email={user.email} money={<MonthGlance />} credits={<LowCreditsList />} />
  );
}
