import { History } from '../../features/audit/history.js';
import { PoliciesPage } from '../../features/policies/policies-page.js';

export default function Policies() {
  return <PoliciesPage history={(id) => <History kind="policy" id={id} />} />;
}
