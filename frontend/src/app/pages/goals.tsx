import { SharingSection } from '../../features/advisor/sharing-section.js';
import { GoalsPage } from '../../features/settings/goals-page.js';

export default function Goals() {
  return <GoalsPage advisor={<SharingSection />} />;
}
