import { Page } from '../../ui/page.js';
import { LAST_UPDATE, TermsText } from './terms-text.js';

/** The terms as somebody reads them who signs up. */
export default function TermsPage() {
  return (
    <main>
      <Page title="Termos de uso" subtitle={`Última atualização: ${LAST_UPDATE}`} width="narrow">
        <TermsText />
      </Page>
    </main>
  );
}
