import { FeedSection } from '../../features/calendar-feed/feed-section.js';
import { Page } from '../../ui/page.js';

export default function OwnCalendar() {
  return (
    <Page title="Calendário" back="/aluno" width="narrow">
      <FeedSection of="aulas" />
    </Page>
  );
}
