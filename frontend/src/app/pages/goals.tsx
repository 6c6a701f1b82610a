import { SharingSection } from '../../features/advisor/sharing-section.js';
import { History } from '../../features/audit/history.js';
import { GoalsPage } from '../../features/settings/goals-page.js';
import { useSignedIn } from '../me-context.js';

export default function Goals() {
  const { membership } = useSignedIn();
  return (
    <GoalsPage history={<History kind="settings" id={membership.tenant_id} />} advisor={<SharingSection />} />
  );
}
