import { History } from '../../features/audit/history.js';
import { FeedSection } from '../../features/calendar-feed/feed-section.js';
import { OtherCalendarSection } from '../../features/other-calendar/other-calendar-section.js';
import { Page } from '../../ui/page.js';
import { useSignedIn } from '../me-context.js';

export default function Calendar() {
  const { membership } = useSignedIn();
  return (
    <Page title="Calendário" back="/ajustes" width="narrow">
      <FeedSection of="agenda" history={<History kind="calendar" id={membership.tenant_id} />} />
      <OtherCalendarSection />
    </Page>
  );
}
