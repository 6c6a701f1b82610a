import { FeedSection } from '../../features/calendar-feed/feed-section.js';
import { OtherCalendarSection } from '../../features/other-calendar/other-calendar-section.js';
import { Page } from '../../ui/page.js';

export default function Calendar() {
  return (
    <Page title="Calendário" back="/ajustes" width="narrow">
      <FeedSection of="agenda" />
      <OtherCalendarSection />
    </Page>
  );
}
