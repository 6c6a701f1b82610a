import { DashboardPage } from '../../features/agenda/dashboard-page.js';
import { useSignedIn } from '../me-context.js';

export default function Dashboard() {
  const { user } = useSignedIn();
  return <DashboardPage name={user.nome} email={user.email} />;
}
